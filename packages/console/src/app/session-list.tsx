import { Badge, Button, Group, Paper, Stack, Text, Tooltip } from '@mantine/core'
import { Instant } from './value.tsx'

// The makers copy each other's names: the first that fits is the right one.
const names = [
  ['Edge', /Edg[A-Z]*\/(\d{1,4})/i],
  ['Opera', /OPR\/(\d{1,4})/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d{1,4})/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d{1,4})/],
  ['Safari', /Version\/(\d{1,4})\S* (?:Mobile\/\S+ )?Safari/],
] as const
const systems = [
  ['Windows', /Windows NT/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Macintosh/],
  ['Linux', /Linux/],
] as const

/** What a browser calls itself, in short. Undefined for what calls itself in another way. */
function shortOf(agent: string): string | undefined {
  if (!agent.startsWith('Mozilla/5.0 (')) return undefined
  const [name, form] = names.find(([, each]) => each.test(agent)) ?? []
  const [system] = systems.find(([, each]) => each.test(agent)) ?? []
  return name && system && `${name} ${form?.exec(agent)?.[1]} on ${system}`
}

/** A browser, as it names itself; the whole of that on hover. */
function Browser({ agent = 'A browser that does not name itself' }: { readonly agent: string | undefined }) {
  const short = shortOf(agent)
  const text = (
    <Text size="sm" fw={550} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      <bdi>{short ?? agent}</bdi>
    </Text>
  )
  return short === undefined ? text : <Tooltip label={agent}>{text}</Tooltip>
}

/** A session, as the service lists it. */
export interface ListedSession {
  readonly sessionId: string
  /** It is that of this browser. */
  readonly isOwn?: boolean
  readonly agent?: string
  readonly createdAt: string
  readonly usedAt: string
  readonly expiresAt: string
}

/** Browsers that are signed in, each with a button that ends its session. */
export function SessionList({
  sessions,
  isEnding,
  end,
}: {
  readonly sessions: readonly ListedSession[]
  readonly isEnding: boolean
  readonly end: (session: ListedSession) => unknown
}) {
  return (
    <Stack gap="xs" role="list">
      {sessions.map((each) => (
        <Paper key={each.sessionId} withBorder p="sm" role="listitem">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <Group gap="xs">
                <Browser agent={each.agent} />
                {each.isOwn === true && <Badge variant="default">this one</Badge>}
              </Group>
              <Text size="xs" c="dimmed" mt={4}>
                since <Instant at={each.createdAt} />, used <Instant at={each.usedAt} />, ends <Instant at={each.expiresAt} />
              </Text>
            </div>
            {each.isOwn === true ? (
              <Button size="compact-xs" variant="default" flex="none" onClick={() => end(each)}>
                Sign out
              </Button>
            ) : (
              <Button size="compact-xs" color="red" variant="light" flex="none" disabled={isEnding} onClick={() => end(each)}>
                End
              </Button>
            )}
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}
