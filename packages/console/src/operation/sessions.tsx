import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { service } from '../app/service.ts'
import { Failed, Nothing, Waiting } from '../app/states.tsx'
import { Instant } from '../app/value.tsx'

/** Browsers that were let in by a key. */
export function Sessions({ keyId }: { readonly keyId: string }) {
  const sessions = useQuery({ queryKey: ['keys', keyId, 'sessions'], queryFn: ({ signal }) => service.sessions(keyId, { signal }) })
  const end = useMutation({ mutationFn: (sessionId: string) => service.endSession(keyId, sessionId), onSettled: () => sessions.refetch() })
  if (sessions.isPending) return <Waiting of="the sessions" />
  if (sessions.isError) return <Failed error={sessions.error} again={sessions.refetch} />
  if (sessions.data.length === 0) return <Nothing title="No browser is let in by this key" />
  return (
    <Stack gap="xs">
      {end.isError && <Failed error={end.error} />}
      {sessions.data.map(({ sessionId, agent, usedAt, expiresAt }) => (
        <Paper key={String(sessionId)} withBorder p="sm">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <Text size="sm" lineClamp={2}>
                <bdi className="whole">{String(agent ?? 'A browser that does not name itself')}</bdi>
              </Text>
              <Text size="xs" c="dimmed">
                used <Instant at={String(usedAt)} />, ends <Instant at={String(expiresAt)} />
              </Text>
            </div>
            <Button size="compact-xs" color="red" variant="light" loading={end.isPending} onClick={() => end.mutate(String(sessionId))}>
              End
            </Button>
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}
