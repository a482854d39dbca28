/** Cedar's own engine, compiled to WebAssembly. */
export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

/** Loads Cedar: 4 MB, which only a program that decides by policies pays. */
export const loadCedar = (): Promise<Cedar> => import('@cedar-policy/cedar-wasm/nodejs')
