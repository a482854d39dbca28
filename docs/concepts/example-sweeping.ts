import { open } from '@freehold/designs/platform'
import { scheduledSweep } from '@freehold/frame/sweep'
import { sesMailer } from '@freehold/service/mail'

const mailer = sesMailer({ address: 'no-reply@portal.example' })
export const handler = scheduledSweep(open({ mailing: { mailer } }))
