import { Modal } from '@mantine/core'
import { capital, words } from '../app/told.ts'
import { FlowForm, type FlowFormProps } from './flow-form.tsx'

/** The form of a flow above another screen. */
export function FlowDialog({ close, ...props }: FlowFormProps & { readonly close: () => void }) {
  return (
    <Modal opened onClose={close} size="xl" title={capital(words(props.flow.name))} closeButtonProps={{ 'aria-label': 'Close' }}>
      <FlowForm {...props} />
    </Modal>
  )
}
