//! Decryption of jrnl's encrypted files, versions 1 to 3.
//!
//! | version | layout | key |
//! |---|---|---|
//! | 1 | 16 bytes IV, AES-256-CBC with PKCS#7 padding (the first releases padded with spaces) | SHA-256 of the password |
//! | 2 | a Fernet token | PBKDF2-HMAC-SHA256, 100,000 rounds, fixed salt |
//! | 3 | `JRNLv3`, length of the header (16 bits, big endian), header, a Fernet token | the same, salt in the header |

use aes::{
    Aes128, Aes256,
    cipher::{
        BlockModeDecrypt, KeyIvInit,
        block_padding::{NoPadding, Pkcs7},
    },
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE},
};
use cbc::Decryptor;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::content;

const PREFIX: &[u8] = b"JRNLv3";
const ROUNDS: u32 = 100_000;
const SALT_OF_2: &[u8] = b"\xf2\xd5q\x0e\xc1\x8d.\xde\xdc\x8e6t\x89\x04\xce\xf8";
const BLOCK: usize = 16;

/// Whether a file is encrypted. Version 1 has no mark: any binary data of whole blocks may be one.
pub(super) fn is_encrypted(bytes: &[u8]) -> bool {
    bytes.starts_with(PREFIX) || content::is_fernet(bytes) || content::may_be_ciphertext(bytes, true)
}

/// The text of an encrypted file; `None` for a wrong password or a damaged file.
pub(super) fn decrypt(bytes: &[u8], password: &str) -> Option<Vec<u8>> {
    let plain = match bytes.strip_prefix(PREFIX) {
        None if content::is_fernet(bytes) => fernet(bytes, &derived(password, SALT_OF_2))?,
        None => of_version_1(bytes, password)?,
        Some(behind) => {
            let (length, rest) = behind.split_first_chunk::<2>()?;
            let (header, token) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
            // The first files have the header as plain JSON.
            let header = STANDARD.decode(header).unwrap_or_else(|_| header.to_vec());
            let header: serde_json::Value = serde_json::from_slice(&header).ok()?;
            fernet(token, &derived(password, &URL_SAFE.decode(header["salt"].as_str()?).ok()?))?
        }
    };
    std::str::from_utf8(&plain).is_ok().then_some(plain)
}

fn derived(password: &str, salt: &[u8]) -> [u8; 32] {
    let mut key = [0; 32];
    pbkdf2::pbkdf2_hmac::<Sha256>(password.as_bytes(), salt, ROUNDS, &mut key);
    key
}

/// Decrypts a Fernet token: base64 of version, time, IV, AES-128-CBC and HMAC-SHA256.
fn fernet(token: &[u8], key: &[u8; 32]) -> Option<Vec<u8>> {
    let token = URL_SAFE.decode(token.trim_ascii()).ok()?;
    let (signed, signature) = token.split_last_chunk::<32>()?;
    let (signing, encryption) = key.split_at(16);
    let mut mac = Hmac::<Sha256>::new_from_slice(signing).ok()?;
    mac.update(signed);
    mac.verify_slice(signature).ok()?;
    let (iv, data) = signed.get(9..)?.split_at_checked(BLOCK)?;
    Decryptor::<Aes128>::new_from_slices(encryption, iv).ok()?.decrypt_padded_vec::<Pkcs7>(data).ok()
}

fn of_version_1(bytes: &[u8], password: &str) -> Option<Vec<u8>> {
    let (iv, data) = bytes.split_at_checked(BLOCK)?;
    let cipher = || Decryptor::<Aes256>::new_from_slices(&Sha256::digest(password), iv).ok();
    let mut padded = cipher()?.decrypt_padded_vec::<NoPadding>(data).ok()?;
    if padded.last() == Some(&b' ') {
        padded.truncate(padded.trim_ascii_end().len());
        return Some(padded);
    }
    cipher()?.decrypt_padded_vec::<Pkcs7>(data).ok()
}
