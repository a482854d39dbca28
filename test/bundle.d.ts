/**
 * Bundles a TypeScript file of the workspace, so that a test can run it in a process of its own: Node 20 runs no TypeScript, and a
 * build may be stale. Libraries are part of the bundle: from one file a process starts in a third of the CPU time that it takes from
 * hundreds.
 *
 * A file is bundled once in a process, and goes with the run of the tests.
 *
 * @param entry path of the file, absolute.
 * @param change what becomes of a package's source, by its path from the root and its text. The source itself stays as it is.
 * @returns path of the JavaScript module.
 */
export function bundle(entry: string, change?: (path: string, text: string) => string): Promise<string>

/** The folder of what tests bundle. */
export const bundles: string
