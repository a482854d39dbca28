import { beginsWith, between, day, design, edge, email, entity, get, mirror, query, stamp, text, ulid, unique } from '@freehold/table'

export const Member = entity('Member', {
  attributes: { memberId: ulid().made(), email: email(), name: text(), createdAt: stamp.onCreate(), updatedAt: stamp.onWrite() },
  key: ['MEMBER#{memberId}', 'META'],
})

/** A uniqueness guard: two members never have the same address. */
export const MemberEmail = unique('MemberEmail', Member, ['EMAIL#{email}', 'META'])

export const Club = entity('Club', {
  attributes: { clubId: ulid().made(), name: text(), city: text().optional(), createdAt: stamp.onCreate() },
  key: ['CLUB#{clubId}', 'META'],
})

/** A lookup item for each club, so that clubs can be listed without a Scan. */
export const ClubEntry = mirror('ClubEntry', Club, ['DIRECTORY#CLUB', 'CLUB#{clubId}'], ['name'])

/** A dependant of its club: it needs one, and is removed with it. */
export const Meeting = entity('Meeting', {
  attributes: { clubId: ulid(), day: day(), book: text() },
  key: ['CLUB#{clubId}', 'MEETING#{day}'],
  refers: { clubId: Club },
})

/** An edge: one membership, stored as two items, one for each way to read it. Each has a copy of a name, which follows its original. */
export const { ClubOfMember, MemberOfClub } = edge({
  ends: { memberId: Member, clubId: Club },
  attributes: { joinedAt: stamp.onCreate() },
  items: { ClubOfMember: ['MEMBER#{memberId}', 'CLUB#{clubId}'], MemberOfClub: ['CLUB#{clubId}', 'MEMBER#{memberId}'] },
  copies: { ClubOfMember: { clubName: 'clubId.name' }, MemberOfClub: { memberName: 'memberId.name' } },
})

export const readers = design({
  name: 'readers',
  table: 'readers',
  noIndexes: true,
  entities: { Member, MemberEmail, Club, ClubEntry, Meeting, ClubOfMember, MemberOfClub },
  patterns: {
    member: get(Member),
    club: get(Club),
    memberIdOfEmail: get(MemberEmail),
    clubs: query('DIRECTORY#CLUB').returns(ClubEntry),
    clubsOfMember: query('MEMBER#{memberId}', beginsWith('CLUB#')).returns(ClubOfMember),
    membersOfClub: query('CLUB#{clubId}', beginsWith('MEMBER#')).returns(MemberOfClub),
    meetingsOfClub: query('CLUB#{clubId}', between('MEETING#{from}', 'MEETING#{to}')).returns(Meeting),
  },
})
