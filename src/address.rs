//! Addresses that kioku may connect to: encrypted ones, and this machine.

/// Whether an address is this machine's own: then it needs no encryption and no proxy.
///
/// # Errors
/// The reason why the address is not allowed.
pub fn is_local(address: &str) -> Result<bool, &'static str> {
    let (scheme, rest) = address.split_once("://").unwrap_or_default();
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // The colons within the brackets belong to an IPv6 address.
    let name = if host.ends_with(']') { host } else { host.rsplit_once(':').map_or(host, |(name, _)| name) };
    match scheme {
        _ if host.contains('@') => Err("a key or password in an address may be logged on the way"),
        "https" if !name.is_empty() => Ok(false),
        "http" if matches!(name, "localhost" | "127.0.0.1" | "[::1]") => Ok(true),
        _ => Err("it must begin with https:// (http:// only for this machine itself)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_encrypted_addresses_and_this_machine_are_allowed() {
        for encrypted in ["https://api.example.org", "https://example.org/v1", "https://localhost:1"] {
            assert_eq!(is_local(encrypted), Ok(false), "{encrypted}");
        }
        for local in [
            "http://localhost:1",
            "http://[::1]:1",
            "http://[::1]",
            "http://[::1]/v1",
            "http://127.0.0.1",
            "http://localhost?x",
        ] {
            assert_eq!(is_local(local), Ok(true), "{local}");
        }
        for refused in [
            "http://example.org",
            "http://localhost.example.org",
            "http://[::2]",
            "http://example.org:[::1]",
            "ftp://localhost",
            "example.org",
            "https://",
            "",
            "https://me:word@example.org",
            "http://localhost:1@example.org",
        ] {
            assert!(is_local(refused).is_err(), "{refused}");
        }
    }
}
