import { randomUUID } from 'node:crypto'
import type { DesignModule } from '@freehold/frame'
import { createService, openKeys, serveOnNode } from '@freehold/service'
import type { AnyDesign, Attributes, Entity } from '@freehold/table'
import { keyPlaceholders } from '@freehold/table/runtime'
import { loadSamples, sampleQuestions } from '../../packages/cli/src/sample/load-samples.ts'
import { designModules } from '../../packages/designs/src/index.ts'
import { engineSender } from '../engine/endpoint.ts'
import { ownTableOf } from '../engine/own-table.ts'
import { builtConsole } from './built.ts'

/** Markup that would run, text that turns the line around, a name that looks like another one, and no end. */
const whole = `<img src=x onerror="window.ran=1">"><script>window.ran=1</script>\u202eevil\u202c Аdа ${'x'.repeat(900)}`
const texts = [whole, whole.slice(0, 200), whole.slice(0, 60), 'Аdа\u202e<b>', 'Аdа']

const map = { [texts[2] ?? '']: whole }
const stored = { M: { [texts[2] ?? '']: { S: whole } } }

/** The attributes in which somebody may write what it likes, each with the longest hostile text that it takes, as it is stored. */
function hostileIn({ attributes, ...entity }: Entity): Readonly<Record<string, { readonly S: string } | typeof stored>> {
  const keys = new Set(keyPlaceholders({ attributes, ...entity }))
  return Object.fromEntries(
    Object.entries(attributes as Attributes).flatMap(([name, { kind, schema }]): [string, { readonly S: string } | typeof stored][] => {
      if (kind.name === 'map' && schema.safeParse(map).success) return [[name, stored]]
      const isFree = ['text', 'verbatim', 'verbatim text'].includes(kind.name) && !keys.has(name) && !/id$|ids$|owner/i.test(name)
      const text = isFree ? texts.find((each) => schema.safeParse(each).success) : undefined
      return text === undefined ? [] : [[name, { S: text }]]
    }),
  )
}

/** Items whose key has a text that somebody chooses, each with the attribute of that text and what else it takes. */
const named = [
  ['rebac', 'Role', 'roleName', {}],
  ['rebac', 'Page', 'pageName', {}],
  ['authorization', 'Role', 'name', { scope: 'tenant' }],
  ['authorization', 'Policy', 'name', { policyId: 'hostile' }],
  ['platform', 'RolePermission', 'menuKey', { canView: true }],
  ['account-management', 'Setting', 'key', { scope_type: 'client', value: whole }],
] as const

const textIn = (value: object | undefined): string | undefined => (value !== undefined && 'S' in value ? String(value.S) : undefined)

/** The four samples, with hostile text in every field that takes some, as no check of an input ever saw it; and their console. */
export async function hostileSamples() {
  await builtConsole()
  const sender = engineSender()
  const open = async (design: AnyDesign) => {
    const table = await ownTableOf(design, { sender })
    return table
  }
  const empty = new Map<string, { module: DesignModule; table: Awaited<ReturnType<typeof open>> }>()
  for (const [name, module] of designModules) empty.set(name, { module, table: await open(module.design) })
  const { tables } = await loadSamples(empty, { sender })
  const fields: string[] = []
  const items: {
    readonly design: string
    readonly entity: string
    readonly id: Readonly<Record<string, string>>
    readonly hostile: number
  }[] = []
  for (const [design, { table }] of tables) {
    const TableName = table.runtime.table
    const { Items = [] } = await sender.send('Scan', { TableName })
    for (const Item of Items) {
      const entity = table.design.entities[textIn(Item.Type) ?? '']
      if (entity === undefined) continue
      const hostile = hostileIn(entity)
      fields.push(...Object.keys(hostile).map((name) => `${entity.name}.${name}`))
      await sender.send('PutItem', { TableName, Item: { ...Item, ...hostile } })
      const id = keyPlaceholders(entity).flatMap((name) =>
        textIn(Item[name]) === undefined ? [] : [[name, textIn(Item[name]) ?? ''] as const],
      )
      items.push({ design, entity: entity.name, id: Object.fromEntries(id), hostile: Object.keys(hostile).length })
    }
  }
  for (const [design, kind, name, more] of named) {
    const table = tables.get(design)?.table
    const entity = table?.design.entities[kind]
    const text = texts.find((each) => entity?.attributes[name]?.schema.safeParse(each).success)
    if (table === undefined || text === undefined) continue
    const of = (type: string) => items.find((item) => item.design === design && item.entity === type)?.id.id
    const ends = { roleId: of('Role'), scope_id: of('Client') }
    const given = Object.entries(ends).filter(([end]) => entity?.attributes[end] !== undefined)
    await table.repositoryNamed(kind).create({ ...more, ...Object.fromEntries(given), [name]: text })
    fields.push(`${kind}.${name}`)
  }
  const keys = await openKeys({ sender, table: `keys-${randomUUID()}` })
  const pages = { viewer: async () => '', questions: sampleQuestions }
  const serving = await serveOnNode(createService({ tables, keys, log: () => undefined, pages }), { port: 0, grace_ms: 0 })
  const operator = await keys.newKey('operator')
  return {
    ...{ address: serving.address, keys, fields: new Set(fields), items },
    link: async () => `${serving.address}/console/#open=${(await keys.sessions.newLink(operator.keyId)).text}`,
    close: async () => {
      await serving.close()
    },
  }
}
