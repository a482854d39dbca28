import { Button, Group, Paper, Stack, Stepper, Text, Title, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { itemQuery } from '../app/service.ts'
import { Failed, NotForYou, Nothing, Waiting } from '../app/states.tsx'
import { capital, entityOf, keyOf, type ToldDesign, textOf, type Values, words } from '../app/told.ts'
import { searchOf } from '../app/value.tsx'
import { FlowForm } from '../flows/flow-form.tsx'
import { paging, type ToldFlow } from '../flows/told-flows.ts'
import { Giving, MakingWithin, useFounding, type WithinProps } from './doing.tsx'
import { OfPeople } from './find-screen.tsx'
import { ItemList } from './item-list.tsx'
import { leadsTo, listsFrom, pluralOf } from './lists.ts'
import { Named } from './named.tsx'
import { ProvisioningReport } from './platform/provisioning.tsx'
import { provisions } from './platform/provisions.ts'
import { keyInAddress, mark } from './question.tsx'

interface WizardProps {
  readonly design: ToldDesign
  readonly entity: string
  readonly flow: ToldFlow
}

/** The inputs of a flow, a step for the plain ones and one for each that has parts. */
function groupsOf({ input }: ToldFlow, entity: string): readonly (readonly [title: string, names: readonly string[]])[] {
  const asked = input.filter(({ name }) => ![...paging, 'version'].includes(name))
  const plain = asked.filter(({ parts }) => parts === undefined).map(({ name }) => name)
  return [
    [capital(words(entity)), plain],
    ...asked.filter(({ parts }) => parts !== undefined).map(({ name }) => [capital(words(name)), [name]] as const),
  ]
}

/** What a tenant that was made needs to begin: its people, and the places within it. */
function Following({ design, of, entity, item }: WithinProps) {
  const list = listsFrom(design, entity, item, 0).find((each) => each.of === of)
  return (
    <Stack>
      {list !== undefined && <ItemList {...{ design, list }} empty={<Text size="sm">There are no {pluralOf(of)} yet.</Text>} />}
      <MakingWithin {...{ design, of, entity, item }} />
    </Stack>
  )
}

function Wizard({ design, entity, flow }: WizardProps) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>
  const navigate = useNavigate()
  const id = keyInAddress(search)
  const isMade = Object.keys(id).length > 0
  const groups = groupsOf(flow, entity)
  const [typing, setTyping] = useState(0)
  const { form } = design
  const isProvisioned = provisions(design, flow, entity)
  // A provisioning makes the tenant itself as its first step.
  const read = useQuery({ ...itemQuery(form.design, entity, id), enabled: isMade && !isProvisioned })
  const active = isMade ? Number(search[`${mark}step`] ?? groups.length) : typing
  if (isMade && !isProvisioned && read.isPending) return <Waiting of={words(entity)} />
  if (read.isError) return <Failed error={read.error} again={read.refetch} />
  if (isMade && read.data === null) return <Nothing title={`There is no such ${words(entity).toLowerCase()}`}>Begin again.</Nothing>
  const item: Values = read.data ?? id
  const go = (made: Values, step: number) => navigate({ to: '.', search: { ...searchOf(made), [`${mark}step`]: String(step) } })
  const begun = (result: Values | undefined) => {
    const made =
      result === undefined || entityOf(result) === entity
        ? result && keyOf(design, entity, result)
        : leadsTo(design, entityOf(result), result, entity)[0]?.id
    if (made !== undefined) void go(made, groups.length)
  }
  const following = isProvisioned
    ? [{ title: 'Progress', content: <ProvisioningReport design={form.design} account={textOf(id.id)} /> }]
    : [
        ...[design.people?.person, design.people?.places[1]?.entity].flatMap((of) =>
          of === undefined ? [] : [{ title: capital(pluralOf(of)), content: <Following {...{ design, of, entity, item }} /> }],
        ),
        { title: 'Access', content: <Giving {...{ design, entity, item }} /> },
      ]
  const titles = [...groups.map(([title]) => title), ...following.map(({ title }) => title)]
  const last = titles.length - 1
  return (
    <Stack>
      <Stepper active={active} size="sm" allowNextStepsSelect={false} {...(isMade ? {} : { onStepClick: setTyping })}>
        {titles.map((title) => (
          <Stepper.Step
            key={title}
            label={
              <>
                <Text span visibleFrom="md">
                  {title}
                </Text>
                <VisuallyHidden hiddenFrom="md">{title}</VisuallyHidden>
              </>
            }
          />
        ))}
      </Stepper>
      <Paper withBorder p="md">
        <Title order={2} size="h4" mb="sm">
          {titles[active]}
        </Title>
        {isMade ? (
          <Stack>
            <Text component="div">
              This is <Named design={design} lead={{ attribute: '', to: entity, id }} />.
            </Text>
            {following[active - groups.length]?.content}
          </Stack>
        ) : (
          <FlowForm
            {...{ design, flow }}
            only={groups[active]?.[1]}
            further={active < groups.length - 1 ? () => setTyping(active + 1) : undefined}
            done={begun}
          />
        )}
      </Paper>
      {isMade && (
        <Group>
          {active < last && <Button onClick={() => go(id, active + 1)}>Next</Button>}
          <Button
            variant={active < last ? 'subtle' : 'filled'}
            renderRoot={(props: object) => (
              <Link
                {...props}
                to="/$design/tenants/$entity/$tab"
                params={{ design: form.design, entity, tab: 'people' }}
                search={searchOf(id)}
              />
            )}
          >
            Open the {words(entity).toLowerCase()}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Founding({ design, entity }: Omit<WizardProps, 'flow'>) {
  const flow = useFounding(design, entity)
  if (flow === undefined) return <NotForYou />
  return (
    <Stack maw={1120}>
      <Title order={1} size="h2">
        New {words(entity).toLowerCase()}
      </Title>
      <Wizard {...{ design, entity, flow }} />
    </Stack>
  )
}

/** Makes a tenant, step by step. What was made is in the address: a reload, or another browser, goes on there. */
export function NewTenantScreen() {
  const { design: name } = useParams({ from: '/$design' })
  return <OfPeople>{(design, { places }) => <Founding key={name} design={design} entity={places[0]?.entity ?? ''} />}</OfPeople>
}
