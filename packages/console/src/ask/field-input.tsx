import { Autocomplete, JsonInput, Select, Switch } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { labelOf, ownKey, type ToldDesign, type ToldField, words } from '../app/told.ts'
import { isId } from '../app/value.tsx'
import { targetQuery } from '../flows/told-flows.ts'
import { candidatesQuery, entityOfField, fits } from './candidates.ts'

export interface FieldInputProps {
  readonly design: ToldDesign
  readonly field: ToldField
  readonly value: string
  /** The other fields, by which the choice is narrowed. */
  readonly filled: Readonly<Record<string, string>>
  readonly error?: string | undefined
  readonly canSearch: boolean
  /** The entity that a field of a flow names by id. */
  readonly byId?: string | undefined
  readonly label?: string | undefined
  onChange(value: string): void
}

/** A text that the design may be able to look up. */
export function Searched({ design, field, value, filled, error, canSearch, byId, label: title, onChange }: FieldInputProps) {
  const [typed] = useDebouncedValue(value, 250)
  const { [field.name]: _, ...others } = filled
  const found = useQuery({ ...candidatesQuery(design, field.name, typed, others, byId), ...(canSearch ? {} : { enabled: false }) })
  const actions = field.name === 'action' ? (design.access?.actions ?? []) : []
  const candidates = [...(found.data ?? []), ...actions.map((each) => ({ value: each, label: each }))]
  const labels = new Map(candidates.map(({ value: id, label }) => [id, label]))
  const label = labels.get(value)
  // An id that no list has found has a name, too.
  const entity = byId ?? entityOfField(design, field.name)
  const own = ownKey(design, entity) ?? ''
  const named = targetQuery(design, entity, { [own]: typed })
  // A field of a question takes an e-mail address, too, which no id is.
  const mayBeId = byId === undefined ? isId(typed) : fits(design, [byId], own, typed)
  const isNameless = mayBeId && (label === undefined || label === value)
  const item = useQuery({ ...named, enabled: named.enabled === true && canSearch && isNameless })
  const name = isNameless && typed === value && item.data ? labelOf(item.data) : undefined
  return (
    <Autocomplete
      label={title ?? words(field.name)}
      withAsterisk={field.required}
      w={{ base: '100%', xs: 260 }}
      value={value}
      error={error}
      description={label !== undefined && label !== value ? label.replace(` · ${value}`, '') : name}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[...labels.keys()]}
      renderOption={({ option }) => <bdi className="whole">{labels.get(option.value) ?? option.value}</bdi>}
      filter={({ options, search }) => {
        const wanted = search.toLowerCase()
        const isExact = labels.has(search)
        return options.filter((option) => isExact || ('value' in option && (labels.get(option.value) ?? '').toLowerCase().includes(wanted)))
      }}
      maxDropdownHeight={280}
      limit={50}
      autoComplete="off"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      onChange={onChange}
    />
  )
}

/** One field of a question, as its kind has it. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, error, onChange } = props
  const { name, kind, required, values } = field
  const label = words(name)
  if (kind === 'flag')
    return (
      <Switch label={label} checked={value === 'true'} onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')} mt={28} />
    )
  if (values !== undefined)
    return (
      <Select
        label={label}
        withAsterisk={required}
        data={[...values]}
        value={value === '' ? null : value}
        clearable={!required}
        searchable
        selectFirstOptionOnChange
        w={{ base: '100%', xs: 200 }}
        error={error}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    )
  if (kind === 'map' || kind === 'list')
    return (
      <JsonInput
        label={`${label} (JSON)`}
        withAsterisk={required}
        value={value}
        error={error}
        autosize
        minRows={2}
        maxRows={10}
        w={{ base: '100%', xs: 420 }}
        maw="100%"
        onChange={onChange}
      />
    )
  return <Searched {...props} />
}
