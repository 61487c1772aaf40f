//! Verifies the minisign signatures of manifests.

use std::str::FromStr;

use minisign_verify::{PublicKey, Signature};

/// The public key with which a host's manifest must be signed.
#[derive(Clone)]
pub struct Key(PublicKey);

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Key, String> {
        // The key may be a line of base64 or the text of a .pub file.
        let key = PublicKey::from_base64(text.trim()).or_else(|_| PublicKey::decode(text));
        key.map(Key)
            .map_err(|error| format!("it is not a minisign public key ({error})"))
    }
}

impl Key {
    /// Checks that `signature` is a valid signature of the bytes in `signed`. The error states why
    /// the signature is rejected.
    pub fn check(&self, signed: &[u8], signature: &str) -> Result<(), String> {
        let signature = Signature::decode(signature)
            .map_err(|error| format!("it is not a minisign signature ({error})"))?;
        let checked = self.0.verify(signed, &signature, false);
        checked.map_err(|error| format!("it does not match this manifest and key ({error})"))
    }
}
