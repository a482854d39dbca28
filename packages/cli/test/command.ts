import { main } from '../src/main.ts'

// What bin/freehold.js does with the build, for the bundle that tests make of the sources.
await main(process.argv)
