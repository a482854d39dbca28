import { Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { service } from '../app/service.ts'
import { type ListedSession, SessionList } from '../app/session-list.tsx'
import { Failed, Nothing, Waiting } from '../app/states.tsx'

/** Browsers that were let in by a key. */
export function Sessions({ keyId }: { readonly keyId: string }) {
  const sessions = useQuery({
    queryKey: ['keys', keyId, 'sessions'],
    // The service describes these members.
    queryFn: async ({ signal }) => (await service.sessions(keyId, { signal })) as unknown as readonly ListedSession[],
  })
  const end = useMutation({ mutationFn: (sessionId: string) => service.endSession(keyId, sessionId), onSettled: () => sessions.refetch() })
  if (sessions.isPending) return <Waiting of="the sessions" />
  if (sessions.isError) return <Failed error={sessions.error} again={sessions.refetch} />
  if (sessions.data.length === 0) return <Nothing title="No browser is let in by this key" />
  return (
    <Stack gap="xs">
      {end.isError && <Failed error={end.error} />}
      <SessionList sessions={sessions.data} isEnding={end.isPending} end={({ sessionId }) => end.mutate(sessionId)} />
    </Stack>
  )
}
