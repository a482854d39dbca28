import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { capital, type ToldDesign, words } from '../app/told.ts'
import { FlowForm, type FlowFormProps } from './flow-form.tsx'
import { usePermitted } from './permitted.ts'
import { isDangerous, type OfferedFlow } from './told-flows.ts'

/** The form of a flow above another screen. */
function FlowDialog({ close, ...props }: FlowFormProps & { readonly close: () => void }) {
  return (
    <Modal opened onClose={close} size="xl" title={capital(words(props.flow.name))} closeButtonProps={{ 'aria-label': 'Close' }}>
      <FlowForm {...props} />
    </Modal>
  )
}

/** Flows as buttons. Each opens its form above the screen, filled in as far as it is known there. */
export function FlowButtons({
  design,
  flows: offered,
  done,
}: {
  readonly design: ToldDesign
  readonly flows: readonly OfferedFlow[]
  /** Told once the form of a flow that was run is closed. */
  readonly done?: () => void
}) {
  const flows = usePermitted(design.form.design, offered)
  const [opened, setOpened] = useState<OfferedFlow | undefined>()
  const [isDone, setDone] = useState(false)
  const close = () => {
    setOpened(undefined)
    if (isDone) done?.()
    setDone(false)
  }
  return (
    <>
      {flows.length > 0 && (
        <Group gap="xs">
          {flows.map((each) => (
            <Button
              key={each.flow.name}
              size="xs"
              variant={isDangerous(each.flow) ? 'light' : 'default'}
              {...(isDangerous(each.flow) ? { color: 'red' } : {})}
              title={each.flow.summary}
              onClick={() => setOpened(each)}
            >
              {capital(words(each.flow.name))}
            </Button>
          ))}
        </Group>
      )}
      {opened !== undefined && <FlowDialog design={design} {...opened} done={() => setDone(true)} close={close} />}
    </>
  )
}
