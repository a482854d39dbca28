import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packAuthorizer, packedFile } from '@freehold/authorizer'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { policyFiles } from '@freehold/frame/cedar'
import { rolldown } from 'rolldown'

const map = `
token: { issuer: https://id.example.org/, audience: tickets, algorithms: [HS256], keys: secret }
tenant: { path: tenant }
routes:
  - route: POST /tenants/{tenant}/tickets/{ticket}/close
    action: closeTicket
    resource: { type: Ticket, id: '{ticket}', attributes: { status: open, tenant: { __entity: { type: Tenant, id: '{tenant}' } } } }
`

/** The package of the function: its folder, and the bytes of its code, minified and gzipped, with the AWS SDK and without Cedar. */
export interface Package {
  readonly folder: string
  readonly bytes: number
}

/** Cedar reads its WebAssembly beside its own code. */
const isCedar = (specifier: string) => specifier.startsWith('@cedar-policy/')

/** Packs the function with its map and the policies of the starter. */
export async function packFunction(): Promise<Package> {
  const folder = join(import.meta.dirname, 'package')
  const build = await rolldown({
    input: { index: join(import.meta.dirname, 'function.js') },
    platform: 'node',
    external: isCedar,
    logLevel: 'silent',
  })
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
  // What the AWS SDK loads when it is needed, such as a sign-in by SSO, is not read at the start.
  const { output } = await build.generate({ format: 'esm', minify: true, ...names })
  await build.close()
  const chunks = output.flatMap((each) => (each.type === 'chunk' ? [each] : []))
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'policies'), { recursive: true })
  for (const { fileName, code } of chunks) await writeFile(join(folder, fileName), code)
  await writeFile(join(folder, 'authorizer.yaml'), map)
  for (const [name, text] of Object.entries(starterFiles)) await writeFile(join(folder, 'policies', name), text)
  const files = policyFiles(new Map(Object.entries(starterFiles)))
  await writeFile(join(folder, packedFile), JSON.stringify(await packAuthorizer(map, files)))
  return { folder, bytes: chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0) }
}
