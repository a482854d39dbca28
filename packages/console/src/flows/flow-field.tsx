import {
  Button,
  Checkbox,
  CloseButton,
  Fieldset,
  Group,
  Input,
  JsonInput,
  PasswordInput,
  Select,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { instantOf, localOf } from '../app/local-time.ts'
import { type ToldDesign, type ToldField, textOf, type Values, words } from '../app/told.ts'
import { Searched } from '../ask/field-input.tsx'
import { entityOfInput, isEnd, parsed, type ToldFlow, type ToldInput } from './told-flows.ts'

const day_ms = 86_400_000
const lasting = [
  ['a day', 1],
  ['a week', 7],
  ['30 days', 30],
] as const
function listOf(text: string): string[] {
  const value = parsed(text)
  return Array.isArray(value) ? value.map(textOf) : []
}

export interface FlowFieldProps {
  readonly design: ToldDesign
  readonly flow: ToldFlow
  readonly input: ToldInput
  readonly value: string
  readonly filled: Readonly<Record<string, string>>
  readonly error?: string | undefined
  readonly canSearch: boolean
  onChange(value: string): void
}

/** A record by its parts, and a list of records one below the other. The parts stay text until they are sent, as all inputs do. */
function Parts({ parts, ...props }: FlowFieldProps & { readonly parts: readonly ToldField[] }) {
  const { input, value, error, onChange } = props
  const isList = input.kind === 'list'
  const read = parsed(value)
  // Only this writes the text: a record, or a list of them.
  const records = (isList ? (read ?? []) : [read ?? {}]) as readonly Values[]
  const write = (next: readonly Values[]) => {
    const isEmpty = isList ? next.length === 0 : Object.keys(next[0] ?? {}).length === 0
    onChange(isEmpty ? '' : JSON.stringify(isList ? next : next[0]))
  }
  const change = (at: number, name: string, text: string) =>
    write(
      records.map(({ [name]: former, ...others }, index) =>
        index !== at
          ? { ...others, ...(former === undefined ? {} : { [name]: former }) }
          : text === ''
            ? others
            : { ...others, [name]: text },
      ),
    )
  return (
    <Stack gap="xs" w="100%">
      {records.map((record, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a record has no name but its place
        <Fieldset key={at} legend={`${words(input.name)}${isList ? ` ${at + 1}` : ''}`}>
          <Group align="flex-start">
            {parts.map((part) => (
              <FlowField
                key={part.name}
                {...props}
                input={part}
                filled={Object.fromEntries(Object.entries(record).map(([name, each]) => [name, textOf(each)]))}
                error={undefined}
                value={textOf(record[part.name])}
                onChange={(text) => change(at, part.name, text)}
              />
            ))}
            {isList && (
              <CloseButton
                mt={25}
                aria-label={`Leave out ${words(input.name)} ${at + 1}`}
                onClick={() => write(records.filter((_, index) => index !== at))}
              />
            )}
          </Group>
        </Fieldset>
      ))}
      {isList && (
        <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => write([...records, {}])}>
          Add to {words(input.name)}
        </Button>
      )}
      <Input.Error role="alert">{error}</Input.Error>
    </Stack>
  )
}

/** An input of a flow, as its kind has it. Its value is text; the service says what is wrong with it. */
export function FlowField(props: FlowFieldProps) {
  const { design, flow, input, value, filled, error, onChange } = props
  const { name, kind, required, values, holds, otherwise } = input
  const byId = entityOfInput(design, flow, name, filled)
  const label = words(name === 'id' ? (byId ?? name) : name)
  const told = { label, error, withAsterisk: required, w: { base: '100%', xs: 260 } }
  const description = otherwise === undefined ? undefined : `Without it: ${otherwise}.`
  if (input.secret === true)
    return (
      <PasswordInput
        {...told}
        value={value}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': `Show ${label}` }}
        onChange={({ currentTarget: { value: text } }) => onChange(text)}
      />
    )
  if (kind === 'flag')
    return (
      <Checkbox
        label={label}
        error={error}
        checked={value === 'true'}
        onChange={({ currentTarget: { checked } }) => onChange(String(checked))}
        mt={28}
      />
    )
  if (values !== undefined)
    return (
      <Select
        {...told}
        description={description}
        data={[...values]}
        value={value === '' ? null : value}
        clearable={!required}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    )
  if (kind === 'instant' || kind === 'day') {
    const at = (days: number) => new Date(Date.now() + days * day_ms).toISOString()
    return (
      <Stack gap={4}>
        <TextInput
          {...told}
          type={kind === 'day' ? 'date' : 'datetime-local'}
          value={kind === 'day' ? value : localOf(value)}
          onChange={({ currentTarget: { value: text } }) => onChange(kind === 'day' ? text : instantOf(text))}
        />
        {isEnd(name) && (
          <Group gap={4}>
            {lasting.map(([title, days]) => (
              <Button
                key={title}
                size="compact-xs"
                variant="default"
                aria-label={`${label}: in ${title}`}
                onClick={() => onChange(kind === 'day' ? at(days).slice(0, 10) : at(days))}
              >
                in {title}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    )
  }
  if (holds === 'list of text')
    return <TagsInput {...told} value={listOf(value)} onChange={(list) => onChange(list.length === 0 ? '' : JSON.stringify(list))} />
  if (input.parts !== undefined) return <Parts {...props} parts={input.parts} />
  if (kind === 'map' || kind === 'list')
    return (
      <JsonInput
        {...told}
        label={`${label} (JSON)`}
        description={holds}
        value={value}
        autosize
        minRows={2}
        maxRows={10}
        w={{ base: '100%', xs: 420 }}
        onChange={onChange}
      />
    )
  if (byId !== undefined && otherwise === undefined) return <Searched {...props} field={input} byId={byId} label={label} />
  return (
    <TextInput
      {...told}
      description={description}
      value={value}
      autoComplete="off"
      inputMode={kind === 'number' ? 'decimal' : kind === 'email' ? 'email' : 'text'}
      onChange={({ currentTarget: { value: text } }) => onChange(text)}
    />
  )
}
