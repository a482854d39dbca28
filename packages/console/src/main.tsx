import '@mantine/core/styles.css'
import './app/console.css'
import { Button, createTheme, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { newRouter } from './app/router.tsx'
import { backToAddress, browserSession, enter, queries } from './app/service.ts'

const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'Inter, ui-sans-serif, system-ui, sans-serif',
  headings: { fontWeight: '650' },
  respectReducedMotion: true,
  components: {
    // The lock of the page's scrolling writes a style without the nonce of the answer.
    Modal: { defaultProps: { lockScroll: false } },
    Button: Button.extend({ styles: { label: { fontWeight: 550 } } }),
    InputWrapper: { styles: { label: { fontWeight: 550 } } },
  },
})

/** The secret of a link stands behind `#`, which no browser sends. It leaves the address before anything else happens. */
async function openByLink(): Promise<unknown> {
  const link = /^#open=(\S+)$/.exec(location.hash)?.[1]
  if (link === undefined) return undefined
  history.replaceState(null, '', location.pathname)
  try {
    enter(await browserSession.open({ link }))
    return undefined
  } catch (error) {
    return error
  }
}

backToAddress()
// What Back brings from before a sign-out is not shown.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
const failure = await openByLink()
const root = document.querySelector('#app')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={newRouter(failure)} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
