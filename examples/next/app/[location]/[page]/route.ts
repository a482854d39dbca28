import { protectRoute } from '@freehold/client'
import { rebac, user } from '../../../rebac.ts'

interface Context {
  readonly params: Promise<{ location: string; page: string }>
}

export const GET = protectRoute(
  {
    user,
    can: rebac.decide.can,
    question: async ({ id }, _request, { params }: Context) => ({ user: id, ...(await params) }),
  },
  async (request, { params }: Context) => {
    const { location, page } = await params
    return Response.json({ page, location, user: request.user.id })
  },
)
