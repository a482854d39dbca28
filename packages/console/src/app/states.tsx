import { ProblemError } from '@freehold/client'
import { Alert, Button, Center, Code, Loader, Stack, Text, Title } from '@mantine/core'
import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sessionQuery } from './service.ts'
import { words } from './told.ts'

/** Words for a list or a page that is not there: it is under way, has nothing, failed, or is denied. */
export function Waiting({ of }: { readonly of: string }) {
  return (
    <Center py="xl" role="status">
      <Loader size="sm" mr="sm" />
      <Text c="dimmed">Reading {of} …</Text>
    </Center>
  )
}

export function Nothing({
  title,
  isScreen = false,
  children,
}: {
  readonly title: string
  /** It stands in place of a whole screen: its title is that of the screen. */
  readonly isScreen?: boolean
  readonly children?: ReactNode
}) {
  return (
    <Stack align="center" gap={4} py="xl" px="md" ta="center">
      {isScreen ? (
        <Title order={1} size="h4">
          {title}
        </Title>
      ) : (
        <Text fw={600}>{title}</Text>
      )}
      {children !== undefined && (
        <Text c="dimmed" size="sm" maw={480}>
          {children}
        </Text>
      )}
    </Stack>
  )
}

/** Whom the service refuses: a key, or the person who is signed in. */
export const useWhom = () => (useQuery(sessionQuery).data?.person === undefined ? 'your key' : 'you')

/** A screen that this session may not use. */
export const NotForYou = () => {
  const whom = useWhom()
  return (
    <Nothing isScreen title={`This is not for ${whom}`}>
      {whom === 'you' ? 'Your access does not cover it.' : 'An operator can make one that may see it.'}
    </Nothing>
  )
}

const titles: Readonly<Record<number, string>> = {
  400: 'This cannot be asked',
  401: 'You are not signed in',
  404: 'There is no such item',
}

/** What a person can mend, line by line: the service names the route before it, which nobody here has called. */
function wordsFor(error: unknown): readonly string[] {
  // The service describes these members.
  const { issues = [] } = (error instanceof ProblemError ? error.problem : {}) as {
    readonly issues?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[]
  }
  if (issues.length > 0) return [...new Set(issues.map(({ path, message }) => `${words(path.join(' '))} ${message}.`.trim()))]
  return [error instanceof Error ? error.message : 'Something unexpected happened.']
}

export function Failed({ error, again }: { readonly error: unknown; readonly again?: () => unknown }) {
  const problem = error instanceof ProblemError ? error : undefined
  const isDenied = problem?.status === 403 || problem?.status === 401
  const whom = useWhom()
  const title = problem?.status === 403 ? `This is not for ${whom}` : (titles[problem?.status ?? 0] ?? 'This did not work')
  /** What the service refuses it refuses again, and its log says no more. */
  const isRefused = problem !== undefined && problem.status < 500 && problem.status !== 429
  const request = isRefused
    ? undefined
    : typeof problem?.problem.instance === 'string'
      ? problem.problem.instance.replace('urn:uuid:', '')
      : undefined
  return (
    <Alert color={isDenied ? 'yellow' : 'red'} title={title} role="alert" my="sm">
      {wordsFor(error).map((line) => (
        <Text key={line} size="sm" className="whole">
          {line}
        </Text>
      ))}
      {request !== undefined && (
        <Text size="xs" mt={4}>
          In the log it is <Code>{request}</Code>.
        </Text>
      )}
      {again !== undefined && !isRefused && (
        <Button size="xs" variant="default" mt="sm" onClick={() => again()}>
          Try again
        </Button>
      )}
    </Alert>
  )
}

/** The end of a list that is read by pages: why the next one failed, and a button that reads it. */
export function Further({ list }: { readonly list: UseInfiniteQueryResult }) {
  return (
    <>
      {list.isError && <Failed error={list.error} />}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()} style={{ alignSelf: 'center' }}>
          Show more
        </Button>
      )}
    </>
  )
}
