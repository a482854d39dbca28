import { type Answered, changeOf, type SavedQuestion, savedQuestionsOf } from '@freehold/client'
import { Alert, Badge, Button, Code, FileButton, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { parse, stringify } from 'yaml'
import { ScrollTable } from '../app/scroll-table.tsx'
import { designClient } from '../app/service.ts'
import { Failed, Nothing, Waiting } from '../app/states.tsx'
import { textOf } from '../app/told.ts'
import { Instant } from '../app/value.tsx'
import { download } from '../ask/csv.ts'
import { keep, type ListedQuestion, useRemoving, useSaved } from './saved-questions.ts'

/** The largest list that is compared whole: one page. */
const rows_max = 1000
const bytes_max = 1 << 20

interface Outcome {
  readonly key: string
  readonly change: string | undefined
}

/** In this page a question is known by its name, and in the table by its id. */
const keyOf = ({ questionId, name }: ListedQuestion) => (questionId === undefined ? `page ${name}` : `table ${questionId}`)

function readFile(text: string, design: string): readonly SavedQuestion[] {
  const read = savedQuestionsOf(parse(text))
  if ('problem' in read) throw new Error(`The file has no saved questions. ${read.problem}`)
  if (read.design !== design) throw new Error(`The file is of the design ${read.design}.`)
  const twice = read.cases.find(({ name }, index) => read.cases.findIndex((each) => each.name === name) !== index)
  if (twice !== undefined) throw new Error(`Two questions of the file are called “${twice.name}”: name each by its own.`)
  return read.cases
}

/** Asks one as strongly as it can be. A question that is refused has no answer, which is a difference, too. */
async function outcomeOf(design: string, saved: ListedQuestion): Promise<Outcome> {
  const { ask, question } = saved
  const key = keyOf(saved)
  const client = designClient(design)
  const how = { consistency: 'strong' } as const
  try {
    // The client has checked the form of either.
    const answer = ask === 'can' ? await client.why(question, how) : await client.list(ask, question, { ...how, limit: rows_max })
    return { key, change: changeOf(saved, answer as Answered) }
  } catch (error) {
    return { key, change: error instanceof Error ? error.message : 'It was not answered.' }
  }
}

const expectWords = ({ expect }: SavedQuestion): string =>
  expect === true ? 'yes' : expect === false ? 'no' : typeof expect === 'string' ? `no: ${expect}` : `${expect.length} rows`

/** Saved questions with their expected answers: run all, and see what changed. */
export function SavedScreen() {
  const { design } = useParams({ from: '/$design/saved' })
  const navigate = useNavigate()
  const { all, kept, error, isPending, again, mayStore } = useSaved(design)
  const removing = useRemoving(design)
  const [problem, setProblem] = useState<unknown>()
  const run = useMutation({
    mutationFn: async () => {
      const outcomes: Outcome[] = []
      // One after another: a service has others to answer.
      for (const each of all) outcomes.push(await outcomeOf(design, each))
      return new Map(outcomes.map((each) => [each.key, each]))
    },
  })
  const open = async (file: File | null) => {
    if (file === null) return
    run.reset()
    try {
      if (file.size > bytes_max) throw new Error('The file is longer than a megabyte.')
      keep(design, readFile(await file.text(), design))
      setProblem(undefined)
    } catch (error) {
      setProblem(error)
    }
  }
  // One that was removed since is of no matter.
  const changed = all.filter((each) => run.data?.get(keyOf(each))?.change !== undefined).length
  const bare = all.map(({ name, ask, question, expect }) => ({ name, ask, question, expect }))
  return (
    <Stack maw={1120}>
      <Group justify="space-between">
        <Title order={1} size="h2">
          Saved questions
        </Title>
        <Group gap="xs">
          <FileButton onChange={open} accept=".yaml,.yml">
            {(props) => (
              <Button variant="default" {...props}>
                Open a file
              </Button>
            )}
          </FileButton>
          {all.length > 0 && (
            <>
              <Button variant="default" onClick={() => download(`${design}.cases.yaml`, stringify({ design, cases: bare }), 'text/yaml')}>
                Save as a file
              </Button>
              <Button loading={run.isPending} onClick={() => run.mutate()}>
                Run all
              </Button>
            </>
          )}
        </Group>
      </Group>
      {problem !== undefined && <Failed error={problem} />}
      {error !== null && <Failed error={error} again={again} />}
      {removing.error !== null && <Failed error={removing.error} />}
      {all.length === 0 && (isPending || error !== null) ? (
        isPending && <Waiting of="saved questions" />
      ) : all.length === 0 ? (
        <Nothing title="No question is saved">
          Ask one and save it with its answer, or open a file <Code>*.cases.yaml</Code> of a repository. <Code>freehold cases run</Code>{' '}
          asks the same file in CI.
        </Nothing>
      ) : (
        <>
          {kept.length > 0 && (
            <Text size="sm" c="dimmed">
              Those of this page stay until it is closed: save them as a file.
            </Text>
          )}
          {run.data !== undefined && (
            <Alert role="status" color={changed === 0 ? 'teal' : 'red'} title={changed === 0 ? 'All as expected' : `${changed} changed`}>
              {all.length - changed} of {all.length} answered as expected.
            </Alert>
          )}
          <Paper withBorder>
            <ScrollTable caption="Saved questions" minWidth={640}>
              <Table.Thead>
                <Table.Tr>
                  {['Question', 'Kept', 'Expected', 'Now', 'Actions'].map((title) => (
                    <Table.Th key={title}>{title}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {all.map((each) => {
                  const outcome = run.data?.get(keyOf(each))
                  return (
                    <Table.Tr key={keyOf(each)}>
                      <Table.Td>
                        <bdi className="whole">{each.name}</bdi>
                      </Table.Td>
                      <Table.Td>
                        {each.savedAt === undefined ? (
                          'in this page'
                        ) : (
                          <>
                            in the table since <Instant at={each.savedAt} />, by {each.savedBy}
                          </>
                        )}
                      </Table.Td>
                      <Table.Td>{expectWords(each)}</Table.Td>
                      <Table.Td>
                        {outcome === undefined ? (
                          '–'
                        ) : outcome.change === undefined ? (
                          <Badge variant="default">as expected</Badge>
                        ) : (
                          <Text size="sm" c="red" className="whole">
                            {outcome.change}
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td>
                        <Group gap={4} wrap="nowrap">
                          <Button
                            size="compact-xs"
                            variant="default"
                            onClick={() =>
                              navigate({
                                to: '/$design/ask',
                                params: { design },
                                search: {
                                  asked: each.ask,
                                  ...Object.fromEntries(Object.entries(each.question).map(([name, value]) => [name, textOf(value)])),
                                },
                              })
                            }
                          >
                            Ask
                          </Button>
                          {(each.questionId === undefined || mayStore) && (
                            <Button size="compact-xs" variant="default" onClick={() => removing.mutate(each)}>
                              Remove
                            </Button>
                          )}
                        </Group>
                      </Table.Td>
                    </Table.Tr>
                  )
                })}
              </Table.Tbody>
            </ScrollTable>
          </Paper>
        </>
      )}
    </Stack>
  )
}
