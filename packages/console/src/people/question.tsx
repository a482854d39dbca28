import { Button, Group, Stack } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { ownKey, type ToldDesign, textOf, type Values } from '../app/told.ts'
import { entityOfField } from '../ask/candidates.ts'
import { FieldInput } from '../ask/field-input.tsx'
import { ListAnswer } from '../ask/list-answer.tsx'
import { questionOf } from '../ask/sentence.ts'

/** What else the address of an item's page has, such as the fields of a question, stands beside the key of the item: it has a mark of its own. */
export const mark = 'q.'
/** The key of an item in the address of its page. */
export const keyInAddress = (search: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(search).filter(([name]) => !name.startsWith(mark)))

/** The field of a question that names an item of this entity. */
export const fieldOf = (design: ToldDesign, asking: string, entity: string): string | undefined =>
  design.questions[asking]?.find(({ name }) => entityOfField(design, name) === entity)?.name

/** A list question about the item of a page: the rest of its sentence is filled in here. Fields for other places and for circumstances are left to Ask. */
export function QuestionAbout({
  design,
  asking,
  entity,
  item,
}: {
  readonly design: ToldDesign
  readonly asking: 'what' | 'who'
  readonly entity: string
  readonly item: Values
}) {
  const fields = design.questions[asking] ?? []
  const about = fieldOf(design, asking, entity) ?? ''
  const places = new Set(design.people?.places.map((place) => place.entity))
  const others = fields.filter(({ name, required }) => {
    const place = places.has(entityOfField(design, name) ?? '')
    return name !== about && (asking === 'what' ? required || place : required || (!place && (name === 'permission' || name === 'action')))
  })
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>
  const navigate = useNavigate()
  const asked = Object.fromEntries(others.flatMap(({ name }) => (search[mark + name] ? [[name, search[mark + name] ?? '']] : [])))
  const [filled, setFilled] = useState<Readonly<Record<string, string>>>(asked)
  // Another address, by Back, is another question.
  const address = JSON.stringify(asked)
  useEffect(() => setFilled(JSON.parse(address)), [address])
  const own = { [about]: textOf(item[ownKey(design, entity) ?? '']) }
  const { question, missing, wrong } = questionOf(fields, { ...asked, ...own })
  const isAsked = (others.length === 0 || Object.keys(asked).length > 0) && missing.length === 0 && wrong.length === 0
  const ask = (event: FormEvent) => {
    event.preventDefault()
    const given = Object.entries(filled).filter(([, value]) => value !== '')
    void navigate({
      to: '.',
      search: { ...keyInAddress(search), ...Object.fromEntries(given.map(([name, value]) => [mark + name, value])) },
    })
  }
  return (
    <Stack>
      <form onSubmit={ask} noValidate>
        <Group align="flex-start">
          {others.map((field) => (
            <FieldInput
              key={field.name}
              {...{ design, field, filled: { ...filled, ...own }, canSearch: true }}
              value={filled[field.name] ?? ''}
              onChange={(value) => setFilled((before) => ({ ...before, [field.name]: value }))}
            />
          ))}
          {others.length > 0 && (
            <Button type="submit" mt={25}>
              Ask
            </Button>
          )}
        </Group>
      </form>
      {isAsked && <ListAnswer {...{ design, asking, question }} />}
    </Stack>
  )
}
