import { ProblemError } from '@freehold/client'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { browserSession, sessionQuery, signOut } from '../app/service.ts'
import { type ListedSession, SessionList } from '../app/session-list.tsx'
import { Failed, NotForYou, Waiting } from '../app/states.tsx'

/** The browsers in which a person is signed in. It ends each of them, this one by signing out. */
export function SessionsScreen() {
  const { data: session } = useQuery(sessionQuery)
  const isPerson = session?.person !== undefined
  const listed = useQuery({
    queryKey: ['sessions'],
    // The service describes these members.
    queryFn: async ({ signal }) => (await browserSession.all({ signal })) as unknown as readonly ListedSession[],
    enabled: isPerson,
    staleTime: 0,
  })
  const end = useMutation({
    mutationFn: async (all: readonly ListedSession[]) => {
      for (const { sessionId } of all)
        await browserSession.end(sessionId).catch((error: unknown) => {
          // Somebody else has ended it.
          if (!(error instanceof ProblemError && error.status === 404)) throw error
        })
    },
    onSettled: () => listed.refetch(),
  })
  if (!isPerson) return <NotForYou />
  if (listed.isPending) return <Waiting of="your sessions" />
  if (listed.isError) return <Failed error={listed.error} again={listed.refetch} />
  const others = listed.data.filter(({ isOwn }) => isOwn !== true)
  return (
    <Stack maw={720}>
      <Group justify="space-between">
        <Title order={1} size="h2">
          Your sessions
        </Title>
        {others.length > 0 && (
          <Button variant="light" color="red" loading={end.isPending} onClick={() => end.mutate(others)}>
            {others.length === 1 ? 'End the other one' : `End the ${others.length} others`}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        The browsers in which you are signed in. If you do not know one, end it, and change what you sign in with.
      </Text>
      {end.isError && <Failed error={end.error} />}
      <SessionList
        sessions={listed.data}
        isEnding={end.isPending}
        end={(each) => (each.isOwn === true ? signOut(session) : end.mutate([each]))}
      />
    </Stack>
  )
}
