import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callsOf, pascal } from '../documents.js'
import { npm, ran } from '../tools.js'

/** One folder a client, whose import paths have no endings: `@hey-api/openapi-ts` makes them so. */
const compilerOptions = {
  ...{ module: 'commonjs', moduleResolution: 'node10', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: ['node'] },
  ...{ strict: true, skipLibCheck: true, outDir: 'js' },
}

/** A literal, in which a part of the answer before stands for `$` and its name. */
const literal = (value) => JSON.stringify(value).replace(/"\$(\w+)"/g, 'last.$1')
const members = (told) => Object.entries(told).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${literal(value)}`]))

const openapiTypescript = {
  name: 'openapi-typescript',
  made: ({ file, folder }) => npm('openapi-typescript', file, '-o', join(folder, 'types.ts')),
  program: (calls) => ({
    imports: "import createClient from 'openapi-fetch'\nimport type { paths } from './types'",
    client: 'createClient<paths>(how)',
    calls: calls.map(({ method, path, body, query, headers }) => {
      const params = [query, headers].some((each) => each !== undefined)
        ? [`params: { ${members({ query, header: headers }).join(', ')} }`]
        : []
      return `client.${method.toUpperCase()}(${JSON.stringify(path)}, { ${[...members({ body }), ...params].join(', ')} })`
    }),
  }),
}

const heyApi = {
  name: '@hey-api/openapi-ts',
  made: ({ file, folder }) => npm('openapi-ts', '-i', file, '-o', join(folder, 'made'), '-c', '@hey-api/client-fetch'),
  program: (calls) => {
    const named = (call) => pascal(call).replace(/^./, (first) => first.toLowerCase())
    return {
      imports: `import { createClient } from './made/client'\nimport { ${[...new Set(calls.map(({ call }) => named(call)))].join(', ')} } from './made'`,
      client: 'createClient(how)',
      calls: calls.map(
        ({ call, body, query, headers }) => `${named(call)}({ ${['client', ...members({ body, query, headers })].join(', ')} })`,
      ),
    }
  },
}

/** A client of TypeScript. Its calls compile only if the document tells the types that the service takes. */
const client = ({ name, made, program }) => ({
  name,
  needs: [],
  make: async (told) => {
    const { stderr, code } = await made(told)
    if (code !== 0) throw new Error(stderr)
    const { imports, client: its, calls } = program(callsOf(told.document, told.calls, told.client))
    const lines = calls.map((call) => `  async (${call.includes('last.') ? 'last' : ''}) => await ${call},`)
    const text = `import { how, tell } from './told'\n${imports}\n\nconst client = ${its}\nvoid tell([\n${lines.join('\n')}\n])\n`
    writeFileSync(join(told.folder, 'calls.ts'), text)
    copyFileSync(new URL('told.ts', import.meta.url), join(told.folder, 'told.ts'))
    writeFileSync(join(told.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'made'] }))
    writeFileSync(join(told.folder, 'package.json'), '{"type":"commonjs"}')
  },
  compile: async ({ folder }) => (await npm('tsc', '-p', folder)).stdout,
  call: ({ folder }, ...argv) => ran(process.execPath, [join(folder, 'js', 'calls.js'), ...argv]),
})

export const typescriptClients = [openapiTypescript, heyApi].map(client)
