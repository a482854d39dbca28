import { useQuery } from '@tanstack/react-query'
import {
  createHashHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  parseSearchWith,
  stringifySearchWith,
  useParams,
  useRouterState,
} from '@tanstack/react-router'
import { AskScreen } from '../ask/ask-screen.tsx'
import { catalogueQuery, sessionQuery } from './service.ts'
import { Shell, screens, screensOf } from './shell.tsx'
import { Failed, NotForYou, Nothing, useWhom, Waiting } from './states.tsx'

/** State is in the address, behind `#`: a link can be sent, Back works, and no name of a person reaches a log of a server. */
interface Context {
  /** Why the link that opened this did not. */
  readonly failure: unknown
}

const root = createRootRouteWithContext<Context>()({
  component: Shell,
  errorComponent: ({ error, reset }) => <Failed error={error} again={reset} />,
  notFoundComponent: () => (
    <Nothing isScreen title="There is no such page">
      The address may be of another version of the console.
    </Nothing>
  ),
})
const asText = (search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(search).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))
/** The screens of a design that is served for this key, and of those the screens that the key may use. */
function OfDesign() {
  const { design } = useParams({ from: '/$design' })
  const path = useRouterState({ select: ({ location }) => location.pathname.split('/')[2] })
  const { data } = useQuery(catalogueQuery)
  const { data: session } = useQuery(sessionQuery)
  const whom = useWhom()
  const kind = screens.find((screen) => screen.path === path)?.kind
  if (kind !== undefined && session?.may.includes(kind) !== true) return <NotForYou />
  if (data === undefined || data.some(({ name }) => name === design)) return <Outlet />
  return (
    <Nothing isScreen title="There is no such design">
      None of this name is served for {whom}: {design}
    </Nothing>
  )
}

/** Goes to the first screen that the key may use. No loader does: it would run before somebody signs in, and not after. */
function First() {
  const { design: named } = useParams({ strict: false })
  const catalogue = useQuery(catalogueQuery)
  const { data: session } = useQuery(sessionQuery)
  if (catalogue.isPending) return <Waiting of="the designs" />
  if (catalogue.isError) return <Failed error={catalogue.error} again={catalogue.refetch} />
  const design = named ?? catalogue.data[0]?.name
  const own = session ? screensOf(session) : []
  // Who is of one tenant begins there.
  const screen = own.find(({ path }) => path === 'tenants' && session?.person?.tenant !== undefined) ?? own[0]
  if (screen === undefined && session?.person !== undefined) return <Navigate to="/you" replace />
  if (design === undefined || screen === undefined)
    return (
      <Nothing isScreen title="Nothing is served for this key">
        An operator can make one that may see more.
      </Nothing>
    )
  return <Navigate to={`/$design/${screen.path}`} params={{ design }} replace />
}
const design = createRoute({ getParentRoute: () => root, path: '/$design', validateSearch: asText, component: OfDesign })
const routes = [
  createRoute({ getParentRoute: () => root, path: '/', component: First }),
  createRoute({
    getParentRoute: () => root,
    path: '/keys',
    validateSearch: asText,
    component: lazyRouteComponent(() => import('../operation/keys-screen.tsx'), 'KeysScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/operation',
    component: lazyRouteComponent(() => import('../operation/operation-screen.tsx'), 'OperationScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/you',
    component: lazyRouteComponent(() => import('../you/access-screen.tsx'), 'AccessScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sessions',
    component: lazyRouteComponent(() => import('../you/sessions-screen.tsx'), 'SessionsScreen'),
  }),
  design.addChildren([
    createRoute({ getParentRoute: () => design, path: '/', component: First }),
    createRoute({ getParentRoute: () => design, path: '/ask', component: AskScreen }),
    createRoute({
      getParentRoute: () => design,
      path: '/tenants',
      component: lazyRouteComponent(() => import('../people/find-screen.tsx'), 'TenantsScreen'),
    }),
    createRoute({
      getParentRoute: () => design,
      path: '/tenants/new',
      component: lazyRouteComponent(() => import('../people/new-tenant.tsx'), 'NewTenantScreen'),
    }),
    createRoute({
      getParentRoute: () => design,
      path: '/tenants/$entity/$tab',
      component: lazyRouteComponent(() => import('../people/place-screen.tsx'), 'PlaceScreen'),
    }),
    createRoute({
      getParentRoute: () => design,
      path: '/people',
      component: lazyRouteComponent(() => import('../people/find-screen.tsx'), 'PeopleScreen'),
    }),
    createRoute({
      getParentRoute: () => design,
      path: '/people/$entity/$tab',
      component: lazyRouteComponent(() => import('../people/person-screen.tsx'), 'PersonScreen'),
    }),
    createRoute({
      getParentRoute: () => design,
      path: '/roles',
      component: lazyRouteComponent(() => import('../people/roles-screen.tsx'), 'RolesScreen'),
    }),
    createRoute({
      getParentRoute: () => design,
      path: '/design',
      component: lazyRouteComponent(() => import('../design/design-screen.tsx'), 'DesignScreen'),
    }),
    createRoute({
      getParentRoute: () => design,
      path: '/saved',
      component: lazyRouteComponent(() => import('../saved/saved-screen.tsx'), 'SavedScreen'),
    }),
    createRoute({
      getParentRoute: () => design,
      path: '/audit',
      component: lazyRouteComponent(() => import('../audit/audit-screen.tsx'), 'AuditScreen'),
    }),
    createRoute({
      getParentRoute: () => design,
      path: '/flow/$flow',
      component: lazyRouteComponent(() => import('../flows/flow-screen.tsx'), 'FlowScreen'),
    }),
    createRoute({
      getParentRoute: () => design,
      path: '/item/$entity',
      component: lazyRouteComponent(() => import('../items/item-screen.tsx'), 'ItemScreen'),
    }),
  ]),
]

const tree = root.addChildren(routes)

export const newRouter = (failure: unknown) =>
  createRouter({
    routeTree: tree,
    history: createHashHistory(),
    context: { failure },
    // A value is text: an id of twenty digits is no number.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    defaultErrorComponent: ({ error, reset }) => <Failed error={error} again={reset} />,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>
  }
}
