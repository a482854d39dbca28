import { randomBy } from '../src/unkind/random.ts'
import { tableInput } from './engines.ts'

export interface Request {
  readonly operation: string
  readonly input: object
}

/** The tables that random programs work on: keys of each type, a local index, and global ones of each projection. */
export const tables: readonly object[] = [
  tableInput({
    name: 'texts',
    global: {
      global: [
        ['g', 'S'],
        ['n', 'N'],
      ],
    },
    local: {
      local: [
        ['pk', 'S'],
        ['n', 'N'],
      ],
    },
  }),
  tableInput({
    name: 'numbers',
    key: [
      ['pk', 'N'],
      ['sk', 'N'],
    ],
    global: { global: [['g', 'S']] },
    projection: { ProjectionType: 'KEYS_ONLY' },
  }),
  tableInput({
    name: 'binaries',
    key: [
      ['pk', 'S'],
      ['sk', 'B'],
    ],
    global: {
      global: [
        ['g', 'S'],
        ['sk', 'B'],
      ],
    },
    projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a', 'm'] },
  }),
]

/** Requests that a seed draws: mostly right ones, on few items, so that they meet. */
export function* randomProgram(seed: number): Generator<Request, never> {
  const random = randomBy(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const oneOf = <T>(choices: readonly T[]): T => {
    const [chosen] = choices.slice(below(choices.length))
    if (chosen === undefined) throw new Error('There is nothing to choose from.')
    return chosen
  }
  const chance = (share: number): boolean => random() < share

  const texts = ['a', 'b', 'ab', 'abc', 'é', 'z\u{1f600}', 'z\uffff', 'b~', '~'] as const
  const numbers = ['0', '1', '-1', '2', '10', '-10', '0.5', '1e20', '-1e-20', '12345678901234567890'] as const
  const bytes = ['AA==', 'AAA=', 'AP8=', '/w==', '//8=', 'gA=='] as const
  const text = () => ({ S: oneOf(texts) })
  const number = () => ({ N: oneOf(numbers) })
  const binary = () => ({ B: oneOf(bytes) })
  const scalar = (): object => oneOf<() => object>([text, number, binary, () => ({ BOOL: chance(0.5) }), () => ({ NULL: true })])()
  const some = <T>(choices: readonly T[]): T[] => choices.filter(() => chance(0.3))
  const set = (ofNumbers: readonly string[] = numbers): object => {
    const [type, all] = oneOf<[string, readonly string[]]>([
      ['SS', texts],
      ['NS', ofNumbers],
      ['BS', bytes],
    ])
    const members = some(all)
    return { [type]: members.length === 0 ? [all[0]] : members }
  }
  // Dynoxide adds and removes elements by their spelling, where DynamoDB compares numbers.
  const operands = (): object => set(numbers.filter((each) => !each.includes('e')))
  // Dynoxide puts a map in place of what is none, where DynamoDB refuses the update. So `m` is always a map, and `l` a list.
  const list = (depth = 0): object => ({ L: Array.from({ length: below(4) }, () => value(depth + 1)) })
  const map = (depth = 0): object => ({ M: Object.fromEntries(some(['a', 'b', 'l', '__proto__']).map((name) => [name, value(depth + 1)])) })
  const value = (depth = 0): object => {
    if (depth < 2 && chance(0.15)) return list(depth)
    if (depth < 2 && chance(0.15)) return map(depth)
    return chance(0.2) ? set() : scalar()
  }

  const table = () => oneOf(['texts', 'numbers', 'binaries'])
  const keyOf = (name: string): object => {
    if (name === 'numbers') return { pk: { N: oneOf(['1', '2']) }, sk: number() }
    return name === 'texts' ? { pk: { S: oneOf(['p', 'q']) }, sk: text() } : { pk: { S: oneOf(['p', 'q']) }, sk: binary() }
  }
  const attributes = (): object =>
    Object.fromEntries([
      ...(chance(0.6) ? [['g', { S: oneOf(['x', 'y']) }]] : []),
      ...(chance(0.6) ? [['n', number()]] : []),
      ...some(['a', 'b', 'c']).map((name) => [name, value()]),
      ...(chance(0.4) ? [['m', map()]] : []),
      ...(chance(0.4) ? [['l', list()]] : []),
    ])

  /** Collects values for one request. */
  const binder = () => {
    const values: Record<string, object> = {}
    const bind = (bound: object): string => {
      const name = `:v${Object.keys(values).length}`
      values[name] = bound
      return name
    }
    return { bind, parts: () => (Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }) }
  }
  type Bind = (bound: object) => string
  const path = (): string => oneOf(['a', 'b', 'c', 'g', 'n', 'm.a', 'm.b', 'm.l[0]', 'l[0]', 'l[1]', 'l[2].a'])
  const term = (bind: Bind, paths: () => string): string => {
    const operator = oneOf(['=', '<>', '<', '<=', '>', '>='])
    return oneOf([
      () => `${paths()} ${operator} ${bind(operator === '=' || operator === '<>' ? value() : oneOf([text, number, binary])())}`,
      () => `attribute_exists(${paths()})`,
      () => `attribute_not_exists(${paths()})`,
      () => `attribute_type(${paths()}, ${bind({ S: oneOf(['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS']) })})`,
      () => `begins_with(${paths()}, ${bind(oneOf<() => object>([text, binary])())})`,
      () => `contains(${paths()}, ${bind(scalar())})`,
      () => `size(${paths()}) ${operator} ${bind({ N: String(below(4)) })}`,
      () => `${paths()} IN (${bind(value())}, ${bind(value())})`,
      () => `${paths()} BETWEEN ${bind({ N: '-5' })} AND ${bind({ N: '5' })}`,
    ])()
  }
  const condition = (bind: Bind, paths = path, depth = 0): string => {
    if (depth > 1 || chance(0.5)) return term(bind, paths)
    const [left, right] = [condition(bind, paths, depth + 1), condition(bind, paths, depth + 1)]
    return oneOf([`(${left}) AND ${right}`, `${left} OR ${right}`, `NOT (${left} AND (${right}))`])
      .replaceAll('((', '(NOT (')
      .replaceAll('))', ')) ')
  }

  const conditions = (): object => {
    if (chance(0.6)) return {}
    const { bind, parts } = binder()
    const ConditionExpression = term(bind, () => oneOf(['pk', 'a', 'b', 'n', 'm.a', 'l[0]']))
    return { ConditionExpression, ...parts(), ...(chance(0.5) ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {}) }
  }
  const operand = (bind: Bind): string =>
    oneOf([
      () => bind(value()),
      () => path(),
      () => `if_not_exists(${path()}, ${bind(value())})`,
      () => `if_not_exists(n, ${bind({ N: '0' })}) ${oneOf(['+', '-'])} ${bind(number())}`,
      () => `list_append(${chance(0.5) ? 'l' : `if_not_exists(l, ${bind({ L: [] })})`}, ${bind({ L: [value()] })})`,
    ])()
  const update = (): object => {
    const { bind, parts } = binder()
    // Beyond the end of a list Dynoxide fills up with nulls, where DynamoDB appends.
    const free = ['a', 'b', 'c', 'm.a', 'm.b', 'm.c', 'l[0]', 'n', 'g'].filter(() => chance(0.3))
    const sections: Record<string, string[]> = { SET: [], REMOVE: [], ADD: [], DELETE: [] }
    for (const target of free.length === 0 ? ['a'] : free) {
      // Dynoxide has nothing to do below what is not there, or makes it, where DynamoDB refuses the update.
      const section = /[.[]/.test(target) ? 'SET' : oneOf(['SET', 'SET', 'SET', 'REMOVE', 'ADD', 'DELETE'] as const)
      const written = {
        SET: () => `${target} = ${operand(bind)}`,
        REMOVE: () => target,
        ADD: () => `${target} ${bind(chance(0.5) ? number() : operands())}`,
        DELETE: () => `${target} ${bind(operands())}`,
      }
      sections[section]?.push(written[section]())
    }
    const UpdateExpression = Object.entries(sections)
      .flatMap(([section, actions]) => (actions.length === 0 ? [] : [`${section} ${actions.join(', ')}`]))
      .join(' ')
    const isConditional = chance(0.3)
    const ConditionExpression = isConditional ? { ConditionExpression: term(bind, () => oneOf(['pk', 'a', 'n', 'm.a'])) } : {}
    return { UpdateExpression, ...ConditionExpression, ...parts() }
  }

  const updating = (): object => {
    const changes = update()
    // Of a list in which an element was changed, Dynoxide returns all as updated.
    const values = ['ALL_NEW', 'NONE', ...(JSON.stringify(changes).includes('l[0] =') ? [] : ['UPDATED_OLD', 'UPDATED_NEW'])] as const
    return { ...changes, ReturnValues: oneOf<string>(['NONE', ...values]) }
  }

  const query = (): Request => {
    const { bind, parts } = binder()
    const name = table()
    const index = chance(0.4) ? oneOf(name === 'texts' ? ['global', 'local'] : ['global']) : undefined
    const partition =
      index === 'global'
        ? `g = ${bind({ S: oneOf(['x', 'y']) })}`
        : `pk = ${bind(name === 'numbers' ? { N: oneOf(['1', '2.0']) } : { S: oneOf(['p', 'q']) })}`
    const sort = index === undefined ? 'sk' : name === 'texts' ? 'n' : name === 'binaries' ? 'sk' : undefined
    const own = sort === 'n' || name === 'numbers' ? number : name === 'texts' ? text : binary
    const range =
      sort === undefined || chance(0.3)
        ? ''
        : ` AND ${oneOf([() => `${sort} ${oneOf(['=', '<', '<=', '>', '>='])} ${bind(own())}`, () => `${sort} BETWEEN ${bind(own())} AND ${bind(own())}`, () => (own === number ? `${sort} > ${bind(own())}` : `begins_with(${sort}, ${bind(own())})`)])()}`
    const filtered = index === undefined || name === 'texts' ? () => oneOf(['a', 'b', 'm.a', 'l[0]', 'c']) : () => 'g2'
    const FilterExpression = chance(0.3) ? { FilterExpression: condition(bind, filtered) } : {}
    const ProjectionExpression =
      chance(0.2) && (index === undefined || name === 'texts') ? { ProjectionExpression: 'pk, a, m.a, l[1], l[0]' } : {}
    return {
      operation: 'Query',
      input: {
        TableName: name,
        ...(index === undefined ? {} : { IndexName: index }),
        KeyConditionExpression: partition + range,
        ...FilterExpression,
        ...ProjectionExpression,
        ...parts(),
        ...(chance(0.5) ? { ScanIndexForward: false } : {}),
        ...(index === undefined && chance(0.3) ? { Limit: 1 + below(3) } : {}),
        ...(chance(0.2) ? { Select: 'COUNT' } : {}),
        ...(index === 'global' ? {} : { ConsistentRead: chance(0.5) }),
      },
    }
  }
  const action = (): object => {
    const name = table()
    return oneOf([
      () => ({ Put: { TableName: name, Item: { ...keyOf(name), ...attributes() }, ...conditions() } }),
      () => ({ Delete: { TableName: name, Key: keyOf(name), ...conditions() } }),
      () => ({ Update: { TableName: name, Key: keyOf(name), ...update() } }),
      () => ({ ConditionCheck: { TableName: name, Key: keyOf(name), ConditionExpression: `attribute_${oneOf(['', 'not_'])}exists(a)` } }),
    ])()
  }

  const told = () => ({ ReturnConsumedCapacity: oneOf(['INDEXES', 'TOTAL', 'NONE']) })
  for (;;) {
    const name = table()
    const returned = (values: readonly string[]) => (chance(0.7) ? { ReturnValues: oneOf(values) } : {})
    const [operation, input] = oneOf<() => [string, object]>([
      () => [
        'PutItem',
        { TableName: name, Item: { ...keyOf(name), ...attributes() }, ...conditions(), ...returned(['ALL_OLD', 'NONE']), ...told() },
      ],
      () => ['DeleteItem', { TableName: name, Key: keyOf(name), ...conditions(), ...returned(['ALL_OLD', 'NONE']), ...told() }],
      () => [
        'UpdateItem',
        {
          TableName: name,
          Key: keyOf(name),
          ...told(),
          ...updating(),
        },
      ],
      () => ['GetItem', { TableName: name, Key: keyOf(name), ConsistentRead: chance(0.5), ...told() }],
      () => ['TransactWriteItems', { TransactItems: Array.from({ length: 1 + below(4) }, action), ...told() }],
      () => ['TransactGetItems', { TransactItems: [0, 1].map(() => ({ Get: { TableName: name, Key: keyOf(name) } })), ...told() }],
      () => [
        'BatchWriteItem',
        {
          RequestItems: {
            [name]: [0, 1].map(() =>
              chance(0.7) ? { PutRequest: { Item: { ...keyOf(name), ...attributes() } } } : { DeleteRequest: { Key: keyOf(name) } },
            ),
          },
          ...told(),
        },
      ],
      () => [
        'BatchGetItem',
        { RequestItems: { [name]: { Keys: [0, 1, 2].map(() => keyOf(name)), ConsistentRead: chance(0.5) } }, ...told() },
      ],
      () => ['Scan', { TableName: name, ...(chance(0.3) ? { IndexName: 'global' } : {}), ...told() }],
    ])()
    yield chance(0.25) ? query() : { operation, input }
  }
}
