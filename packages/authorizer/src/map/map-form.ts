import { z } from 'zod'

const name = z.string().min(1).max(1_024)
/** Its form is that of issuers, which `issuers-of.ts` reads. */
const token = z.union([z.looseObject({}), z.array(z.looseObject({})).min(1)])

const values = z.record(name, z.json())
const mapped = {
  action: name,
  resource: z.strictObject({ type: z.string().regex(/^[A-Za-z_]\w*(::[A-Za-z_]\w*)*$/), id: name, attributes: values.default({}) }),
  context: values.default({}),
}

/** The form of the map. What its texts say is checked when they are read: `map-of.ts`. */
export const mapForm = z.strictObject({
  token,
  tenant: z
    .strictObject({ path: name, header: name, claim: name, host: name })
    .partial()
    .refine((sources) => Object.keys(sources).length > 0, 'names no source'),
  base_path: z
    .string()
    .regex(/^(\/[\w.~-]+)+$/)
    .optional(),
  cache: z.strictObject({ ttl_s: z.int().min(0).max(3_600), identity: z.array(name).default([]) }).optional(),
  routes: z
    .array(
      z.union([
        z.strictObject({ route: z.string().regex(/^((GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/\S*|CONNECT \/)$/), ...mapped }),
        z.strictObject({ field: z.string().regex(/^(Query|Mutation|Subscription)\.[_A-Za-z]\w*$/), ...mapped }),
      ]),
    )
    .min(1),
})

export type MapForm = z.infer<typeof mapForm>
