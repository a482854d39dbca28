import { randomUUID } from 'node:crypto'
import type { LinkKind, Person } from '@freehold/frame/credentials'
import { type Mailer, mailText } from '@freehold/frame/mail'

/** The paths of the pages that take a link. */
export const linkPaths: Readonly<Record<LinkKind, string>> = { reset: '/sign-in/reset', invitation: '/sign-in/invitation' }

export interface LinkMails {
  readonly mailer: Pick<Mailer, 'send'>
  readonly product: string
  /** The address by which people reach the service, without a slash at its end. */
  readonly address: string
  /** Told where a mail was not sent, without its link. */
  readonly onFailure: (sentence: string) => void
}

/** Sends links by mail, and returns at once: how long a mail takes tells nobody whether there was one. */
export function linkMails({ mailer, product, address, onFailure }: LinkMails): (kind: LinkKind, person: Person, link: string) => void {
  return (kind, { id, address: to }, link) => {
    const target = `${address}${linkPaths[kind]}?link=${encodeURIComponent(link)}`
    const isReset = kind === 'reset'
    const subject = isReset ? `${product}: choose a new password` : `${product}: your invitation`
    const content = mailText([
      isReset
        ? `Somebody, perhaps you, asked for a new password at ${product}. The link is good once, for fifteen minutes. Your sessions then end.`
        : `You were invited to ${product}. The link is good once, for seven days.`,
      { label: isReset ? 'Choose a new password' : 'Accept the invitation', link: target },
      'If you did not expect this mail, you need do nothing.',
    ])
    mailer.send({ id: randomUUID(), to: { address: to }, subject, ...content }).catch(() => {
      onFailure(`The mail with a link (${kind}) to user ${id} was not sent.`)
    })
  }
}
