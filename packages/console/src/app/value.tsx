import { Anchor, Code, CopyButton, Group, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { textOf, type Values } from './told.ts'

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/
const idForm = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-7][0-9A-HJKMNP-TV-Z]{25})$/i
export const isId = (text: string): boolean => idForm.test(text)
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** An instant in the viewer's zone; the instant itself on hover. A name may look like one, and be none. */
export function Instant({ at }: { readonly at: string }) {
  if (Number.isNaN(Date.parse(at))) return <bdi className="whole">{at}</bdi>
  return (
    <Tooltip label={at}>
      <time dateTime={at}>{time.format(new Date(at))}</time>
    </Tooltip>
  )
}

/** A sentence of the service, with its instants in the viewer's zone. */
export function Told({ text }: { readonly text: string }) {
  return (
    <bdi className="whole">
      {text.split(/(\b\d{4}-\d\d-\d\dT[\d:.]+Z\b)/).map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
        instantForm.test(part) ? <Instant key={index} at={part} /> : part,
      )}
    </bdi>
  )
}

/** An id, short. A click copies the whole. The end of a ULID and of a UUID tells items apart that were made together. */
export function Id({ id }: { readonly id: string }) {
  const short = id.length > 10 ? `…${id.slice(-6)}` : id
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `${id}: click to copy`}>
          <UnstyledButton onClick={copy} aria-label={`${short}: copy ${id}`}>
            <Code>{short}</Code>
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  )
}

/** A value of an item. To the browser it is text; its direction is its own, so that it turns nothing around it. */
export function Value({ value }: { readonly value: unknown }): ReactNode {
  if (value === undefined || value === null || value === '')
    return (
      <Text span c="dimmed">
        –
      </Text>
    )
  if (typeof value === 'string' && instantForm.test(value)) return <Instant at={value} />
  if (typeof value === 'string' && idForm.test(value)) return <Id id={value} />
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return (
      <Group gap={4} component="span">
        {value.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the values of a list may repeat
          <Code key={index}>{textOf(each)}</Code>
        ))}
      </Group>
    )
  if (typeof value === 'object') return <Code className="whole">{JSON.stringify(value)}</Code>
  return <bdi className="whole">{textOf(value)}</bdi>
}

/** The attributes of a key, as an address has them. */
export const searchOf = (id: Values) => Object.fromEntries(Object.entries(id).map(([name, value]) => [name, textOf(value)]))

/** A link to the page of an item. */
export function ItemLink({
  design,
  entity,
  id,
  children,
}: {
  readonly design: string
  readonly entity: string
  readonly id: Values
  readonly children: ReactNode
}) {
  return (
    // Beside other text a link is known by more than its color (WCAG 2, 1.4.1).
    <Anchor
      size="sm"
      underline="always"
      renderRoot={(props) => <Link {...props} to="/$design/item/$entity" params={{ design, entity }} search={searchOf(id)} />}
    >
      {children}
    </Anchor>
  )
}
