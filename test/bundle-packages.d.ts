/** @returns a folder whose `node_modules` has the packages, bundled from their sources */
export function bundlePackages(): Promise<string>
