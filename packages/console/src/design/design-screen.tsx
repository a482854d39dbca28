import './design.css'
import { Stack, Tabs, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { designQuery } from '../app/service.ts'
import { Failed, Waiting } from '../app/states.tsx'
import { Entities } from './entities.tsx'
import { Patterns } from './patterns.tsx'
import { Proofs } from './proofs.tsx'

const Access = lazy(() => import('./access.tsx').then(({ Access }) => ({ default: Access })))
const Diagram = lazy(() => import('./diagram.tsx').then(({ Diagram }) => ({ default: Diagram })))

/** The design: what lies in the table, by which keys, and how it is read. */
export function DesignScreen() {
  const { design: name } = useParams({ from: '/$design/design' })
  const search = useSearch({ from: '/$design/design' })
  const navigate = useNavigate({ from: '/$design/design' })
  const told = useQuery(designQuery(name))
  if (told.isPending) return <Waiting of="the design" />
  if (told.isError) return <Failed error={told.error} again={told.refetch} />
  const { form } = told.data
  const { tab = 'picture', find = '' } = search
  const open = (entity: string) => navigate({ search: { tab: 'entities', find: entity } })
  return (
    <Stack gap="md">
      <div>
        <Title order={1} size="h2">
          The design
        </Title>
        <Text c="dimmed" size="sm">
          {form.design}: {Object.keys(form.entities).length} entities and {Object.keys(form.patterns).length} access patterns in the table{' '}
          {form.table}
        </Text>
      </div>
      <Tabs value={tab} onChange={(next) => next !== null && navigate({ search: { tab: next } })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="picture">Picture</Tabs.Tab>
          <Tabs.Tab value="entities">Entities</Tabs.Tab>
          <Tabs.Tab value="patterns">Access patterns</Tabs.Tab>
          {told.data.people !== undefined && <Tabs.Tab value="access">Access</Tabs.Tab>}
          <Tabs.Tab value="proofs">Proofs and heat</Tabs.Tab>
        </Tabs.List>
        {(tab === 'entities' || tab === 'patterns') && (
          <TextInput
            aria-label="Filter by name"
            placeholder="Filter by name"
            maw={320}
            mb="md"
            value={find}
            onChange={({ currentTarget: { value } }) => navigate({ search: { ...search, find: value }, replace: true })}
          />
        )}
        <Tabs.Panel value="picture">
          <Suspense fallback={<Waiting of="the picture" />}>
            <Diagram key={name} design={told.data} label="Entities and what refers to what" open={open} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="access">
          <Suspense fallback={<Waiting of="the picture" />}>
            <Access key={name} design={told.data} open={open} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="proofs">
          <Proofs design={name} />
        </Tabs.Panel>
        <Tabs.Panel value="entities">
          <Entities design={told.data} find={find} />
        </Tabs.Panel>
        <Tabs.Panel value="patterns">
          <Patterns key={name} design={told.data} find={find} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
