import {
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  NavLink,
  Select,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useRouteContext, useRouterState } from '@tanstack/react-router'
import { ActingAs } from '../flows/acting-as.tsx'
import { useActing } from '../flows/permitted.ts'
import { Palette } from '../palette/palette.tsx'
import { catalogueQuery, type Session, sessionQuery, signOut } from './service.ts'
import { SignIn } from './sign-in.tsx'
import { Failed, NotForYou, Waiting } from './states.tsx'

interface Screen {
  readonly name: string
  readonly path: 'ask' | 'audit' | 'design' | 'people' | 'roles' | 'saved' | 'tenants'
  readonly kind: string
}
/** A screen stands here once it is whole, and is shown to whoever may use it. */
export const screens: readonly Screen[] = [
  { name: 'Ask', path: 'ask', kind: 'decision' },
  { name: 'Tenants', path: 'tenants', kind: 'read' },
  { name: 'People', path: 'people', kind: 'read' },
  { name: 'Roles', path: 'roles', kind: 'read' },
  { name: 'Saved questions', path: 'saved', kind: 'decision' },
  { name: 'Audit', path: 'audit', kind: 'read' },
  { name: 'The design', path: 'design', kind: 'catalogue' },
]

/** The screens of a design for this session. Those of somebody who administers nothing are its own alone. */
export const screensOf = ({ may, person }: Session): readonly Screen[] =>
  person?.administers === false
    ? []
    : screens
        .filter(({ kind }) => may.includes(kind))
        .map((screen) => (screen.path === 'tenants' && person?.tenant !== undefined ? { ...screen, name: 'Your tenant' } : screen))

/** The screens of the service itself, and those of the person who is signed in. */
const ofService = [
  { name: 'Operation', path: '/operation' },
  { name: 'API keys', path: '/keys' },
] as const
const ofPerson = [
  { name: 'Your access', path: '/you' },
  { name: 'Your sessions', path: '/sessions' },
] as const
const others = ({ may, person }: Session) => [...(may.includes('operation') ? ofService : []), ...(person === undefined ? [] : ofPerson)]

function Scheme() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setColorScheme(isDark ? 'light' : 'dark')}>
      {isDark ? 'Light' : 'Dark'}
    </Button>
  )
}

/** The designs, each with its screens; below them the service itself. */
function Navigation({ session, close }: { readonly session: Session; readonly close: () => void }) {
  const catalogue = useQuery(catalogueQuery)
  const { design: named } = useParams({ strict: false })
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const navigate = useNavigate()
  const designs = catalogue.data ?? []
  const isThere = catalogue.data === undefined || designs.some(({ name }) => name === named)
  const design = (isThere ? named : undefined) ?? designs[0]?.name
  const acting = useActing(design ?? '')
  return (
    <Stack gap={4} h="100%">
      {session.person === undefined && (
        <Select
          label="Design"
          data={designs.map(({ name }) => name)}
          value={design ?? null}
          allowDeselect={false}
          mb="xs"
          onChange={(name) => name !== null && navigate({ to: '/$design', params: { design: name } })}
        />
      )}
      {design !== undefined &&
        screensOf(session).map(({ name, path: to }) => (
          <NavLink
            key={to}
            label={name}
            active={path.startsWith(`/${design}/${to}`)}
            {...(path.startsWith(`/${design}/${to}`) ? { 'aria-current': 'page' as const } : {})}
            onClick={close}
            renderRoot={(props) => <Link {...props} to={`/$design/${to}`} params={{ design }} />}
          />
        ))}
      {others(session).length > 0 && (
        <Stack gap={4} mt={screensOf(session).length > 0 ? 'md' : 0}>
          {others(session).map(({ name, path: to }) => (
            <NavLink
              key={to}
              label={name}
              active={path === to}
              {...(path === to ? { 'aria-current': 'page' as const } : {})}
              onClick={close}
              renderRoot={(props) => <Link {...props} to={to} />}
            />
          ))}
        </Stack>
      )}
      <Stack gap={4} mt="auto">
        {design !== undefined && session.may.includes('flow') && (session.purpose !== 'operator' || acting !== '') && (
          <ActingAs design={design} label="You act as" />
        )}
        {session.person === undefined && (
          <Text size="xs" c="dimmed">
            {session.tenant === undefined ? `Your key is for: ${session.purpose}` : `Your key is of the tenant ${session.tenant}`}
          </Text>
        )}
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={() => signOut(session)}>
            Sign out
          </Button>
          <Scheme />
        </Group>
      </Stack>
    </Stack>
  )
}

/** Ctrl-K, also from within a field. */
function GoTo({ session }: { readonly session: Session }) {
  const [isOpen, { open, close }] = useDisclosure()
  const { data: designs = [] } = useQuery(catalogueQuery)
  const { design: named } = useParams({ strict: false })
  const navigate = useNavigate()
  const design = designs.find(({ name }) => name === named)?.name ?? designs[0]?.name
  useHotkeys([['mod+K', open]], [])
  const ofDesign = design === undefined ? [] : screensOf(session)
  return (
    <>
      <Button variant="default" size="compact-md" ms="auto" onClick={open} aria-keyshortcuts="Control+K">
        Go to …{' '}
        <Kbd ms="xs" visibleFrom="xs" size="xs">
          Ctrl K
        </Kbd>
      </Button>
      {isOpen && (
        <Palette
          {...{ design, session, close }}
          screens={[
            ...ofDesign.map(({ name, path }) => ({
              name,
              go: () => navigate({ to: `/$design/${path}`, params: { design: design ?? '' } }),
            })),
            ...others(session).map(({ name, path }) => ({ name, go: () => navigate({ to: path }) })),
          ]}
        />
      )}
    </>
  )
}

/** The frame of every screen: who is signed in, where one is, and where one may go. */
export function Shell() {
  const { failure } = useRouteContext({ from: '__root__' })
  const session = useQuery(sessionQuery)
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  if (session.isPending) return <Waiting of="your session" />
  if (session.isError) return <Failed error={session.error} again={session.refetch} />
  if (session.data === null) return <SignIn failure={failure} />
  const isForOperators = ofService.some(({ path: to }) => to === path)
  return (
    <AppShell
      header={{ height: 52, collapsed: false }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
          <Text fw={700}>Freehold</Text>
          <GoTo session={session.data} />
          {session.data.person !== undefined && (
            <Text size="sm" fw={550} truncate maw={{ base: 90, xs: 260 }}>
              <VisuallyHidden>Signed in as </VisuallyHidden>
              <bdi>{session.data.person.name ?? session.data.person.user}</bdi>
            </Text>
          )}
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="md">
        <Navigation session={session.data} close={close} />
      </AppShell.Navbar>
      <AppShell.Main>{isForOperators && !session.data.may.includes('operation') ? <NotForYou /> : <Outlet />}</AppShell.Main>
    </AppShell>
  )
}
