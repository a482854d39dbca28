import { sessionCookie, sessionText } from '../http/console-cookie.ts'
import type { Asked } from '../http/route.ts'

const device_s = 400 * 24 * 60 * 60

/** The content of the one cookie: the text of a session or of half a sign-in, and that of its device. */
export interface Kept {
  readonly text: string | undefined
  readonly device: string | undefined
}

/** What a browser brings back, and the header that gives it another. */
export function keptInCookie(trustedProxies: number) {
  return {
    keptBy: ({ headers }: Asked): Kept => {
      const [text, device] = (sessionText(headers, trustedProxies, 'account') ?? '').split('~')
      return { text: text || undefined, device: device || undefined }
    },
    cookie: ({ headers }: Asked, { text = '', device = '' }: Partial<Kept>) =>
      sessionCookie(headers, trustedProxies, `${text}~${device}`, { of: 'account', kept_s: device_s }),
  }
}
