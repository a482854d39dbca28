import { Code, Group, Paper, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { ToldDesign, ToldWay } from '../app/told.ts'
import { Diagram } from './diagram.tsx'

/** The entities that decide who may do what: people, places, groups, what is granted, roles and what they allow. */
function decidingOf({ people, access }: ToldDesign): readonly string[] {
  const { person = '', places = [], group = '', grants = [], role } = people ?? {}
  const { entity = '', catalogue = '' } = role?.permissions ?? {}
  const tied = (access?.ways ?? []).flatMap((way) =>
    way.grants.flatMap(({ ties }) => (ties === undefined ? [] : [ties.roles, ties.actions])),
  )
  const all = [
    person,
    ...places.map((place) => place.entity),
    group,
    ...grants.map((grant) => grant.entity),
    role?.entity ?? '',
    entity,
    catalogue,
  ]
  return [...all, ...tied].filter((name) => name !== '')
}

/** A way as it is gone, from the place to who asks. */
const stepsOf = (place: string, subject: string, { within, group, grants }: ToldWay): readonly string[] => {
  const ties = grants.map(({ entity }) => entity)
  return [place, ...Object.values(within), ...ties.slice(0, 1), ...(group === undefined ? [] : [group]), ...ties.slice(1), subject]
}

/** The declared access as a picture, and in words each way by which something is granted. */
export function Access({ design, open }: { readonly design: ToldDesign; readonly open: (entity: string) => void }) {
  const only = useMemo(() => decidingOf(design), [design])
  const { access } = design
  return (
    <Stack>
      {access?.ways.map((way) => {
        const steps = stepsOf(access.place, access.subject, way)
        return (
          <Paper key={steps.join()} withBorder p="sm">
            <Group gap={6} role="list" aria-label="A way">
              {steps.map((step, index) => (
                <Group key={step} gap={6} role="listitem">
                  {index > 0 && <span aria-hidden="true">→</span>}
                  <Code>{step}</Code>
                </Group>
              ))}
            </Group>
            {way.grants.map(({ entity, ties }) =>
              ties === undefined ? null : (
                <Text key={entity} size="sm" c="dimmed" mt={4}>
                  {ties.roles} ties roles to it, and {ties.actions} says what these allow.
                </Text>
              ),
            )}
          </Paper>
        )
      })}
      <Diagram design={design} only={only} label="Who is granted what, where" open={open} />
    </Stack>
  )
}
