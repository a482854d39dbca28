import { type Answered, expectedRows, type SavedAsk } from '@freehold/client'
import { Button, Group, Popover, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Values } from '../app/told.ts'
import { keepOne } from './saved-questions.ts'

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
            keepOne(design, { name: called, ask, question, expect })
            setOpen(false)
            setName('')
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
            <Button type="submit" disabled={called === ''}>
              Save
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
