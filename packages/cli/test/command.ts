import { main } from '../src/main.ts'

// Does the same as bin/freehold.js, with the bundle that tests make of the sources instead of the build.
await main(process.argv)
