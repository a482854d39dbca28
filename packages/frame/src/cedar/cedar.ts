import { setFlagsFromString } from 'node:v8'

/** Cedar's own engine, compiled to WebAssembly. */
export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

/** A policy as its text, or in Cedar's JSON form. */
export type PolicyForm = string | object

/** Loads Cedar: 4 MB, which only a program that decides by policies pays. */
export function loadCedar(): Promise<Cedar> {
  // V8 11, which Node 20 has, inlines calls of WebAssembly into JavaScript that it optimises. Now and then it aborts the process when it undoes that.
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--no-turbo-inline-js-wasm-calls')
  return import('@cedar-policy/cedar-wasm/nodejs')
}
