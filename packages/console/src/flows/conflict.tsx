import { Alert, Box, Button, Text } from '@mantine/core'
import { textOf, type Values } from '../app/told.ts'
import { AttributeTable } from './attribute-table.tsx'

/** Somebody else has changed the item: what was seen, what is there, and what was to be written. */
export function Conflict({
  seen,
  now,
  wanted,
  again,
}: {
  readonly seen: Values
  readonly now: Values | null
  readonly wanted: Readonly<Record<string, string>>
  readonly again: () => void
}) {
  if (now === null)
    return (
      <Alert color="yellow" title="It is gone" role="alert">
        Somebody has removed the item meanwhile.
      </Alert>
    )
  const names = Object.keys({ ...now, ...wanted }).filter(
    (name) =>
      !['Type', 'entity', 'version', 'updated_at', 'updatedAt'].includes(name) &&
      (textOf(seen[name]) !== textOf(now[name]) || (wanted[name] !== undefined && wanted[name] !== textOf(now[name]))),
  )
  return (
    <Alert color="yellow" title="Somebody has changed it meanwhile" role="alert">
      <Text size="sm">
        You saw version {textOf(seen.version)}, and it is version {textOf(now.version)} now. Nothing was written.
      </Text>
      <Box my="xs">
        <AttributeTable
          label="Both versions"
          names={names}
          columns={[
            ['You saw', seen],
            ['It is now', now],
            ['You want', wanted],
          ]}
        />
      </Box>
      <Button size="xs" variant="default" onClick={again}>
        Go on with the version of now
      </Button>
    </Alert>
  )
}
