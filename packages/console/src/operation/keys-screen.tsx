import { Badge, Button, Code, Group, Modal, Paper, Stack, Table, Text, TextInput, Title, VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ScrollTable } from '../app/scroll-table.tsx'
import { queries, service, sessionQuery } from '../app/service.ts'
import { Failed, Nothing, Waiting } from '../app/states.tsx'
import { Id, Value } from '../app/value.tsx'
import { NewKey, NewKeyText, readKeysAnew } from './new-key.tsx'
import { Sessions } from './sessions.tsx'

/** A key, as the service lists it. */
interface Key {
  readonly keyId: string
  readonly name: string
  readonly purpose?: string
  readonly designs?: readonly string[]
  readonly tenant?: string
  readonly flows?: readonly string[]
  readonly createdAt: string
  readonly lastUsedAt?: string
  readonly expiresAt?: string
  readonly replacedBy?: string
}

/** A key is replaced, and accepted for a day more, in which its programs get the new one. */
function Rotate({ of, close }: { readonly of: Key; readonly close: () => void }) {
  const rotate = useMutation({ mutationFn: () => service.rotateApiKey(of.keyId, 86_400), onSuccess: readKeysAnew })
  if (rotate.data !== undefined) return <NewKeyText made={rotate.data} close={close} />
  return (
    <Stack>
      <Text size="sm">
        A new key with the limits of <bdi className="whole">{of.name}</bdi> takes its place. The former one is accepted for 24 hours more.
      </Text>
      {rotate.isError && <Failed error={rotate.error} />}
      <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
        Replace it
      </Button>
    </Stack>
  )
}

function Revoke({ of, isOwn, close }: { readonly of: Key; readonly isOwn: boolean; readonly close: () => void }) {
  const [typed, setTyped] = useState('')
  const revoke = useMutation({
    mutationFn: () => service.revokeApiKey(of.keyId),
    onSuccess: () => {
      close()
      return isOwn ? queries.invalidateQueries() : readKeysAnew()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() === of.name.trim()) revoke.mutate()
      }}
    >
      <Stack>
        <Text size="sm">
          The programs that use it are refused from now on, and its sessions of the console end.{isOwn && ' Yours is one of them.'} To
          revoke it, type its name: <Code className="whole">{of.name}</Code>
        </Text>
        <TextInput
          label="Name of the key"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        {revoke.isError && <Failed error={revoke.error} />}
        <Button type="submit" color="red" disabled={typed.trim() !== of.name.trim()} loading={revoke.isPending}>
          Revoke it
        </Button>
      </Stack>
    </form>
  )
}

type Doing = { readonly does: 'make' } | { readonly does: 'rotate' | 'revoke' | 'sessions'; readonly of: Key }
const titles = { make: 'A new API key', rotate: 'Replace the key', revoke: 'Revoke the key', sessions: 'Sessions of the console' } as const

/** The API keys of the service: what each is for, when it was used, and the sessions of browsers by it. */
export function KeysScreen() {
  const { data: session } = useQuery(sessionQuery)
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await service.apiKeys({ signal })) as unknown as readonly Key[],
  })
  const [doing, setDoing] = useState<Doing | undefined>()
  const close = () => setDoing(undefined)
  if (keys.isPending) return <Waiting of="the keys" />
  if (keys.isError) return <Failed error={keys.error} again={keys.refetch} />
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">
          API keys
        </Title>
        <Button onClick={() => setDoing({ does: 'make' })}>New key</Button>
      </Group>
      {keys.data.length === 0 ? (
        <Nothing title="There are no keys">Programs call the service by a key. Make the first one.</Nothing>
      ) : (
        <Paper withBorder>
          <ScrollTable caption="API keys" minWidth={900}>
            <Table.Thead>
              <Table.Tr>
                {['Name', 'Id', 'For', 'Made', 'Last used', 'Ends', 'Actions'].map((title) => (
                  <Table.Th key={title}>{title === 'Actions' ? <VisuallyHidden>{title}</VisuallyHidden> : title}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {keys.data.map((key) => (
                <Table.Tr key={key.keyId}>
                  <Table.Td maw={280}>
                    <bdi className="whole">{key.name}</bdi> {key.keyId === session?.keyId && <Badge variant="default">yours</Badge>}
                  </Table.Td>
                  <Table.Td>
                    <Id id={key.keyId} />
                  </Table.Td>
                  <Table.Td>
                    {key.purpose ?? 'operator'}
                    {key.designs !== undefined && ` of ${key.designs.join(', ')}`} {key.tenant !== undefined && <Id id={key.tenant} />}
                    {key.flows !== undefined && ` with ${key.flows.join(', ')}`}
                  </Table.Td>
                  <Table.Td className="nowrap">
                    <Value value={key.createdAt} />
                  </Table.Td>
                  <Table.Td className="nowrap">
                    <Value value={key.lastUsedAt} />
                  </Table.Td>
                  <Table.Td className="nowrap">{key.expiresAt === undefined ? 'no end' : <Value value={key.expiresAt} />}</Table.Td>
                  <Table.Td>
                    <Group gap={4} wrap="nowrap" justify="flex-end">
                      <Button size="compact-xs" variant="default" onClick={() => setDoing({ does: 'sessions', of: key })}>
                        Sessions
                      </Button>
                      {key.replacedBy === undefined && (
                        <Button size="compact-xs" variant="default" onClick={() => setDoing({ does: 'rotate', of: key })}>
                          Replace
                        </Button>
                      )}
                      <Button size="compact-xs" variant="light" color="red" onClick={() => setDoing({ does: 'revoke', of: key })}>
                        Revoke
                      </Button>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </ScrollTable>
        </Paper>
      )}
      <Modal opened={doing !== undefined} onClose={close} title={doing && titles[doing.does]} closeButtonProps={{ 'aria-label': 'Close' }}>
        {doing?.does === 'make' && <NewKey close={close} />}
        {doing?.does === 'rotate' && <Rotate of={doing.of} close={close} />}
        {doing?.does === 'revoke' && <Revoke of={doing.of} isOwn={doing.of.keyId === session?.keyId} close={close} />}
        {doing?.does === 'sessions' && <Sessions keyId={doing.of.keyId} />}
      </Modal>
    </Stack>
  )
}
