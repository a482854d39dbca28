import { text } from '@freehold/table'

const max = 4096

const parameters = String.raw`(?:[a-z0-9-]+=[\w/+.-]+(?:,[a-z0-9-]+=[\w/+.-]+)*|\d+)`
const base64 = String.raw`[\w./+-]+={0,2}`
/** The PHC string format. An older form has the number of rounds alone in the place of the parameters. */
const phc = String.raw`\$(?:argon2id|scrypt|pbkdf2(?:-sha(?:1|224|256|384|512))?|bcrypt(?:-sha(?:256|512))?)(?:\$v=\d+)?\$${parameters}\$${base64}\$${base64}`
const bcrypt = String.raw`\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$[\w./]{53}`
const scrypt = String.raw`\$7\$[\w./]{11}[^$\s]*\$[\w./]{43}`

/**
 * The hash of a password, as libraries for passwords write it: a PHC string of Argon2id, scrypt, PBKDF2 or bcrypt, or a string of `crypt` of bcrypt
 * or scrypt. So a flow never stores a password itself, or a fast hash of it, by mistake. Hashes that were stored before stay readable.
 */
export const passwordHash = () =>
  text({
    max,
    pattern: new RegExp(`${phc}|${bcrypt}|${scrypt}`),
    saying: 'is no hash of a password: give a PHC or crypt string of argon2id, scrypt, PBKDF2 or bcrypt',
  })
    .secret()
    .describe('The hash of the password: a PHC or crypt string of argon2id, scrypt, PBKDF2 or bcrypt.')

/** JSON Web Encryption in its compact form (RFC 7516, section 7.1): five parts. The second may be empty. */
const jwe = String.raw`eyJ[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+`
/**
 * The name of the cipher or of the service that holds the key, parts of its own, and ciphertext in Base64. A secret of 80 bits with a nonce and a tag
 * takes 51 characters. Base32 and hexadecimal are refused at any length: they are what secrets themselves are written in.
 */
const sealed = String.raw`(?!otpauth:)[a-z][a-z0-9.-]*:(?:[\w.-]+:)*(?![a-z2-7-]+=*$|[A-Z2-7-]+=*$|[0-9A-Fa-f-]+$)[\w/+-]{48,}={0,2}`

/** The secret of a second factor, which the caller has encrypted: an attacker who reads the table must not be able to make its codes. */
export const encryptedSecret = () =>
  text({
    max,
    pattern: new RegExp(`${jwe}|${sealed}`),
    saying:
      "is not encrypted: give a JWE in compact form, or the cipher's name, a colon and Base64 of 48 characters or more, such as 'kms:AQIC…'",
  })
    .secret()
    .describe('The secret, which the caller has encrypted: a JWE in compact form, or the name of a cipher, a colon and Base64.')
