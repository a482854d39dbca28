import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { circles } from './circles.ts'
import { faces, importedNames, imports, packages, pathsUnder, sources, textOf } from './sources.ts'

interface Import {
  readonly from: string
  readonly package: string
  readonly isTest: boolean
  readonly specifier: string
  /** Path from the root of a relative import; undefined for a package. */
  readonly target: string | undefined
}

const all: Import[] = sources().flatMap((source) =>
  imports(source.text).map((specifier) => ({
    from: source.path,
    package: source.package,
    isTest: source.isTest,
    specifier,
    target: specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : undefined,
  })),
)

const shown = (found: readonly Import[]): string[] => found.map(({ from, specifier }) => `${from} imports ${specifier}`)
const isOf = (specifier: string, name: string): boolean => specifier === name || specifier.startsWith(`${name}/`)
const rank = (specifier: string): number => packages.findIndex(({ name }) => isOf(specifier, name))

/** Folders of packages/table/src, and those that they may not reach: what is pure knows nothing of what has effects. */
const layers: Record<string, readonly string[]> = {
  design: ['plan', 'run', 'dynamo'],
  key: ['plan', 'run', 'dynamo'],
  plan: ['run', 'dynamo'],
}

/** Libraries, and the only places that import them. Tests may: they write literal items and call the service from outside. */
const homes: readonly { readonly name: string; readonly library: RegExp; readonly home: string | readonly string[] }[] = [
  {
    name: 'the AWS SDK and undici',
    library: /^(@aws-sdk\/(?!client-sesv2|client-verifiedpermissions|client-secrets-manager)[^/]+|@smithy|undici)(\/|$)/,
    home: 'packages/table/src/dynamo/',
  },
  { name: 'transports of mail', library: /^(@aws-sdk\/client-sesv2|nodemailer)(\/|$)/, home: 'packages/service/src/mail/' },
  { name: 'AWS Secrets Manager', library: /^@aws-sdk\/client-secrets-manager(\/|$)/, home: 'packages/service/src/lambda/' },
  {
    name: 'Amazon Verified Permissions',
    library: /^@aws-sdk\/client-verifiedpermissions(\/|$)/,
    home: 'packages/service/src/verified-permissions/',
  },
  { name: 'hono', library: /^(hono|@hono)(\/|$)/, home: ['packages/service/src/', 'packages/authorizer/src/hono/'] },
  { name: 'jose', library: /^jose(\/|$)/, home: 'packages/frame/src/issuers/' },
  { name: 'OpenID Connect', library: /^(openid-client|oauth4webapi)(\/|$)/, home: 'packages/service/src/console-sign-in/' },
  { name: 'graphql', library: /^graphql(\/|$)/, home: 'packages/authorizer/src/graphql/' },
  { name: 'LMDB and the ordered map', library: /^(lmdb|sorted-btree)(\/|$)/, home: 'packages/engine/src/store/' },
  { name: 'the engine', library: /^@freehold\/engine$/, home: ['packages/table/src/testing/', 'packages/cli/src/'] },
  { name: 'hashes of passwords and codes', library: /^(@node-rs\/(argon2|bcrypt)|otpauth)(\/|$)/, home: 'packages/frame/src/credentials/' },
  { name: 'Cedar', library: /^@cedar-policy(\/|$)/, home: 'packages/frame/src/cedar/' },
  { name: 'commander', library: /^commander(\/|$)/, home: 'packages/cli/src/' },
]

describe('imports', () => {
  test('are found in every form that TypeScript has', () => {
    const forms = `import 'a'; import type { B } from 'b'; export { c } from 'c'; export * from 'd'; await import('e'); type F = import('f').F; import g from "g"`
    expect(imports(forms)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  })

  test('go from cli to service or authorizer to designs to frame to table to engine, never back', () => {
    const back = all.filter((one) => rank(one.specifier) >= packages.findIndex(({ folder }) => folder === one.package))
    expect(shown(back)).toEqual([])
  })

  test('of the service and of the authorizer never name the other one', () => {
    expect(shown(all.filter((one) => one.package === 'service' && isOf(one.specifier, '@freehold/authorizer')))).toEqual([])
  })

  test('of a design never reach another design', () => {
    const root = 'packages/designs/src/'
    const designOf = (path = '') => (path.startsWith(root) ? /^([^/]+)\//.exec(path.slice(root.length))?.[1] : undefined)
    const across = all.filter(({ from, target }) => {
      const [own, other] = [designOf(from), designOf(target)]
      return own !== undefined && other !== undefined && own !== other
    })
    expect(new Set(all.flatMap(({ from }) => designOf(from) ?? [])).size).toBeGreaterThan(3)
    expect(shown(across)).toEqual([])
  })

  test('of another package name the package or a subpath that it exports', () => {
    const declared = new Set(packages.flatMap((one) => [...faces(one)]))
    const inside = all.filter(({ specifier }) => rank(specifier) >= 0 && !declared.has(specifier))
    expect(shown(inside)).toEqual([])
  })

  test('of other packages name those that the manifest of their own package has', () => {
    const names = new Map<string, ReadonlySet<string>>(
      packages.map(({ folder }) => {
        const { name, dependencies, peerDependencies } = JSON.parse(textOf(`packages/${folder}/package.json`))
        return [folder, new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies })])] as const
      }),
    )
    const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''
    const outside = all.filter(({ specifier, target, isTest }) => !isTest && target === undefined && !specifier.startsWith('node:'))
    expect(shown(outside.filter((one) => !names.get(one.package)?.has(packageOf(one.specifier))))).toEqual([])
  })

  test('by path stay within the sources of their package', () => {
    const home = (one: Import): string => `packages/${one.package}/src/`
    const outside = all.filter((one) => one.target !== undefined && !one.isTest && !one.target.startsWith(home(one)))
    const insides = all.filter((one) => one.target?.startsWith('packages/') && !one.target.startsWith(`packages/${one.package}/`))
    expect(shown([...outside, ...insides])).toEqual([])
  })

  test.each(homes)('of $name stand only under $home', ({ library, home }) => {
    expect(
      shown(all.filter((one) => library.test(one.specifier) && !one.isTest && ![home].flat().some((each) => one.from.startsWith(each)))),
    ).toEqual([])
  })

  test.each(Object.entries(layers))('of table/src/%s reach none of %j', (folder, forbidden) => {
    const root = 'packages/table/src'
    const wrong = all.filter(
      ({ from, isTest, target }) =>
        !isTest && from.startsWith(`${root}/${folder}/`) && forbidden.some((name) => target?.startsWith(`${root}/${name}/`)),
    )
    expect(shown(wrong)).toEqual([])
  })
})

describe('import circles', () => {
  test('are found, of two files and of more, and a chain is none', () => {
    const graph = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d', 'f'], f: [], g: ['a'] }
    expect(circles(new Map(Object.entries(graph)))).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ])
  })

  test('are not in any package, type-only imports included', () => {
    const graph = new Map<string, string[]>()
    for (const { from, target } of all) graph.set(from, [...(graph.get(from) ?? []), ...(target === undefined ? [] : [target])])
    expect(circles(graph)).toEqual([])
  })
})

describe('the faces of @freehold/table', async () => {
  const valuesOf = async (face: string): Promise<string[]> => Object.keys(await import(`../packages/table/src/${face}.ts`))
  const root = await valuesOf('index')
  const others = ['prove', 'publish', 'runtime', 'testing']

  test('are a root of 45 values at most, and others that have none of them', async () => {
    expect(root.length).toBeLessThanOrEqual(45)
    const all = [...root, ...(await Promise.all(['atomic', ...others].map(valuesOf))).flat()]
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([])
  })

  test('other than those that programs write their designs and changes with export only values that another package, the bench, a page or a test uses', async () => {
    const texts = [...sources().map(({ text }) => text), ...['bench/src', 'docs/concepts', 'test'].flatMap(pathsUnder).map(textOf)]
    const used = new Set(texts.flatMap((text) => (text.includes('@freehold/table/') ? importedNames(text) : [])))
    const all = await Promise.all(others.map(async (face) => (await valuesOf(face)).map((name) => `@freehold/table/${face} ${name}`)))
    expect(all.flat().filter((name) => !used.has(name))).toEqual([])
  })
})
