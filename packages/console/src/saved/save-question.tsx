import { type Answered, expectedRows, type SavedAsk } from '@freehold/client'
import { Button, Group, Popover, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Failed } from '../app/states.tsx'
import type { Values } from '../app/told.ts'
import { useSaving } from './saved-questions.ts'

/** Keeps a question with its answer of now as the expected one. */
export function SaveQuestion({
  design,
  ask,
  question,
  answer,
}: {
  readonly design: string
  readonly ask: SavedAsk
  readonly question: Values
  readonly answer: Answered
}) {
  const [name, setName] = useState('')
  const [isOpen, setOpen] = useState(false)
  const saving = useSaving(design)
  const called = name.trim()
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" size="sm" onClick={() => setOpen(true)}>
          Save the question
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (called === '') return
            const expect =
              ask === 'can' ? (answer.allowed === true ? true : (answer.reason?.code ?? false)) : expectedRows(answer.items ?? [])
            const done = () => {
              setOpen(false)
              setName('')
            }
            saving.mutate({ name: called, ask, question, expect }, { onSuccess: done })
          }}
        >
          <Group align="flex-end" gap="xs">
            <TextInput
              label="What it is called"
              description="Its answer of now is the expected one."
              maxLength={200}
              value={name}
              onChange={({ currentTarget: { value } }) => setName(value)}
            />
            <Button type="submit" disabled={called === ''} loading={saving.isPending}>
              Save
            </Button>
          </Group>
          {saving.error !== null && <Failed error={saving.error} />}
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
