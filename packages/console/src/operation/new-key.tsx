import { Alert, Button, Code, CopyButton, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { catalogueQuery, queries, service } from '../app/service.ts'
import { Failed } from '../app/states.tsx'
import type { Values } from '../app/told.ts'

const purposes = [
  { value: 'decisions', label: 'decisions: asks questions' },
  { value: 'read', label: 'read: items and questions' },
  { value: 'flows', label: 'flows: runs flows as users' },
  { value: 'application', label: 'application: reads, questions, and the flows that it names' },
  { value: 'tenant', label: 'tenant: one tenant, within it' },
  { value: 'operator', label: 'operator: everything' },
]
const lasting = [
  { value: '1', label: 'a day' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
  { value: '', label: 'until it is revoked' },
]
const day_ms = 86_400_000
export const readKeysAnew = () => queries.invalidateQueries({ queryKey: ['keys'] })

/** The text of a new key, which is told once. */
export function NewKeyText({ made, close }: { readonly made: Values; readonly close: () => void }) {
  return (
    <Stack>
      <Alert color="yellow" title="Keep it now">
        Its text is shown once, and stored nowhere.
      </Alert>
      <Code block className="whole">
        {String(made.text)}
      </Code>
      <Group>
        <CopyButton value={String(made.text)}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy'}</Button>}
        </CopyButton>
        <Button variant="default" onClick={close}>
          I have it
        </Button>
      </Group>
    </Stack>
  )
}

/** Makes a key, and shows its text. */
export function NewKey({ close }: { readonly close: () => void }) {
  const catalogue = useQuery(catalogueQuery)
  const [name, setName] = useState('')
  const [purpose, setPurpose] = useState('decisions')
  const [designs, setDesigns] = useState<string[]>([])
  const [tenant, setTenant] = useState('')
  const [flows, setFlows] = useState<string[]>([])
  const isApplication = purpose === 'application'
  // A key of an application is of one design.
  const offered = (catalogue.data ?? []).find(({ name: each }) => designs.length === 1 && each === designs[0])?.flows ?? []
  const [days, setDays] = useState('90')
  const make = useMutation({
    mutationFn: () =>
      service.newApiKey({
        ...(name === '' ? {} : { name }),
        ...(designs.length === 0 ? {} : { designs }),
        ...(purpose === 'tenant' || (isApplication && tenant !== '') ? { tenant } : {}),
        ...(isApplication && flows.length > 0 ? { flows } : {}),
        ...(days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * day_ms).toISOString() }),
        purpose,
      }),
    onSuccess: readKeysAnew,
  })
  if (make.data !== undefined) return <NewKeyText made={make.data} close={close} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          placeholder="gate of the south wing"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Select
          label="Purpose"
          data={purposes}
          allowDeselect={false}
          value={purpose}
          onChange={(value) => setPurpose(value ?? 'decisions')}
        />
        <MultiSelect
          label="Designs"
          description="Without any, it may use all."
          data={(catalogue.data ?? []).map((each) => each.name)}
          value={designs}
          onChange={setDesigns}
        />
        {(purpose === 'tenant' || isApplication) && (
          <TextInput
            label="Tenant"
            description={isApplication ? 'Its id, in the one design. Without it, all of the design.' : 'Its id, in the one design.'}
            withAsterisk={!isApplication}
            value={tenant}
            onChange={(event) => setTenant(event.currentTarget.value)}
          />
        )}
        {isApplication && (
          <MultiSelect
            label="Flows"
            description="Those that it may run as users. Choose its one design first."
            searchable
            data={offered.map((each) => String(each.name))}
            value={flows}
            onChange={setFlows}
          />
        )}
        <Select label="Accepted for" data={lasting} allowDeselect={false} value={days} onChange={(value) => setDays(value ?? '90')} />
        {make.isError && <Failed error={make.error} />}
        <Button type="submit" loading={make.isPending}>
          Make the key
        </Button>
      </Stack>
    </form>
  )
}
