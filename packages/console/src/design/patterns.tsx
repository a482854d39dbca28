import { Accordion, Badge, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { sessionQuery } from '../app/service.ts'
import { Nothing } from '../app/states.tsx'
import { isOpenTo, type ToldDesign, type ToldPattern, words } from '../app/told.ts'
import { PatternAnswer } from '../items/pattern-answer.tsx'

/** The name of a key attribute: those of the table, or of an index. */
const keyNames = (index: string | undefined) => (index === undefined ? ['PK', 'SK'] : [`${index}PK`, `${index}SK`])

/** The form leaves out the delimiter at the end of a whole part, which the request sends. */
function conditionOf(sk: string, { operator, templates }: NonNullable<ToldPattern['sort']>): string {
  const [first = ''] = templates
  if (operator === 'begins_with') return `begins_with(${sk}, ${first}#)`
  if (operator === 'begins_with_part') return `begins_with(${sk}, ${first})`
  return `${sk} ${operator === 'between' ? 'BETWEEN' : operator} ${templates.join(' AND ')}`
}

/** The request that a pattern sends, in the words of DynamoDB. */
function requestOf({ form }: ToldDesign, { operation, index, partition, sort, filters = [], descending, returns }: ToldPattern): string {
  const [pk = 'PK', sk = 'SK'] = keyNames(index)
  const entity = form.entities[returns[0] ?? '']
  const condition =
    sort === undefined ? (operation === 'get' && entity !== undefined ? [`${sk} = ${entity.key[1]}`] : []) : [conditionOf(sk, sort)]
  return [
    `${operation === 'get' ? 'GetItem' : 'Query'} ${form.table}${index === undefined ? '' : `, index ${index}`}`,
    `${pk} = ${partition}`,
    ...condition,
    ...(filters.length === 0 ? [] : [`filtered by ${filters.join(', ')}`]),
    ...(descending === true ? ['the last first'] : []),
  ].join('\n')
}

type Given = Readonly<Record<string, string>>

/** The parameters of a pattern in the address stand beside the filter and the tab: they have a mark of their own. */
const mark = 'p.'

function Run({
  design,
  name,
  pattern,
  given,
  run,
}: {
  readonly design: ToldDesign
  readonly name: string
  readonly pattern: ToldPattern
  readonly given: Given | undefined
  readonly run: (given: Given) => void
}) {
  const parameters = [
    ...(pattern.parameters ?? []).map((each) => [each, true] as const),
    ...(pattern.optional ?? []).map((each) => [each, false] as const),
  ]
  const [filled, setFilled] = useState<Given>(given ?? {})
  const [isTried, setTried] = useState(false)
  const lacks = (parameter: string, isRequired: boolean) => isRequired && (filled[parameter] ?? '') === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!parameters.some(([each, isRequired]) => lacks(each, isRequired)))
      run(Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== '')))
  }
  return (
    <Stack gap="sm">
      <form onSubmit={submit} noValidate>
        <Group align="flex-start">
          {parameters.map(([parameter, isRequired]) => (
            <TextInput
              key={parameter}
              label={words(parameter)}
              withAsterisk={isRequired}
              autoComplete="off"
              value={filled[parameter] ?? ''}
              error={isTried && lacks(parameter, isRequired) ? 'Fill this in.' : undefined}
              onChange={({ currentTarget: { value } }) => setFilled((before) => ({ ...before, [parameter]: value }))}
            />
          ))}
          <Button type="submit" mt={parameters.length === 0 ? 0 : 25}>
            Run
          </Button>
        </Group>
      </form>
      {given !== undefined && <PatternAnswer design={design} name={name} parameters={given} />}
    </Stack>
  )
}

/** The access patterns: what each reads, the request that it sends, and a place to run it. */
export function Patterns({ design, find }: { readonly design: ToldDesign; readonly find: string }) {
  const { pattern: opened, run, ...search } = useSearch({ from: '/$design/design' })
  const navigate = useNavigate({ from: '/$design/design' })
  const { data: session } = useQuery(sessionQuery)
  const mayRead = session?.may.includes('read') === true
  const shown = Object.entries(design.form.patterns).filter(([name]) => name.toLowerCase().includes(find.toLowerCase()))
  const given: Given = Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (name.startsWith(mark) ? [[name.slice(mark.length), String(value)]] : [])),
  )
  const others = Object.fromEntries(Object.entries(search).filter(([name]) => !name.startsWith(mark)))
  if (shown.length === 0) return <Nothing title="No access pattern has this in its name">Clear the filter to see all.</Nothing>
  return (
    <Accordion
      variant="separated"
      value={opened ?? null}
      keepMounted={false}
      onChange={(name) => navigate({ search: name === null ? others : { ...others, pattern: name } })}
    >
      {shown.map(([name, pattern]) => (
        <Accordion.Item key={name} value={name}>
          <Accordion.Control>
            <Group gap="xs">
              <Text fw={600} className="whole">
                {name}
              </Text>
              <Badge variant="default">{pattern.operation}</Badge>
              {pattern.index !== undefined && <Badge variant="default">{pattern.index}</Badge>}
              <Text size="sm" c="dimmed" className="whole">
                {pattern.returns.join(', ')}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Box component="pre" className="policy" tabIndex={0} mt={0} mb="sm">
              {requestOf(design, pattern)}
            </Box>
            {mayRead && isOpenTo(session.tenant, design, name) && (
              <Run
                {...{ design, name, pattern }}
                given={run === name ? given : undefined}
                run={(next) =>
                  navigate({
                    search: {
                      ...others,
                      pattern: name,
                      run: name,
                      ...Object.fromEntries(Object.entries(next).map(([each, value]) => [mark + each, value])),
                    },
                  })
                }
              />
            )}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}
