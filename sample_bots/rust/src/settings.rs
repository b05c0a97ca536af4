//! Where the server is, and who the bot is there.

use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};

use crate::errors::Error;
use crate::say::MOST_MATCHES;

/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_secs(5);
/// How often an open connection is tried by gRPC itself, and how long it may stay silent then.
const KEEP_ALIVE: Duration = Duration::from_secs(20);
const KEEP_ALIVE_ANSWER: Duration = Duration::from_secs(10);
/// The longest version that Hello takes, in characters.
const LONGEST_VERSION: usize = 40;

/// What a client needs to know before it dials.
#[derive(Clone)]
pub struct Settings {
    /// How many matches to play at once, 1-256. Default: 8.
    pub capacity: u32,
    /// The bot's own version, at most 40 characters. Default: `1`.
    pub bot_version: String,
    /// The bot's certificate and its key, both PEM, for a server with mutual TLS.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
    uri: String,
    tls: Option<Trust>,
    authorization: MetadataValue<Ascii>,
}

/// Whom to believe that he is the server.
#[derive(Clone)]
enum Trust {
    /// Whoever the system's authorities vouch for.
    System,
    /// Whoever the authorities of this PEM vouch for.
    Authorities(Vec<u8>),
}

impl Settings {
    /// From `KITUMAIJA_ADDRESS`, `KITUMAIJA_TOKEN` and `KITUMAIJA_TLS_CA`.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] says which is missing or wrong, and what is wanted.
    pub fn from_env() -> Result<Self, Error> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// The same, from whatever knows a variable's value by its name; an empty one is none.
    ///
    /// # Errors
    ///
    /// As [`Settings::from_env`].
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Error> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let missing = |name: &str, what: &str| Error::Setting(format!("{name} is not set; set it to {what}"));

        let address =
            variable("KITUMAIJA_ADDRESS").ok_or_else(|| missing("KITUMAIJA_ADDRESS", "the server's HOST:PORT"))?;
        let token = variable("KITUMAIJA_TOKEN")
            .ok_or_else(|| missing("KITUMAIJA_TOKEN", "the token that the organizer gave to this bot"))?;
        let mut settings = Self::new(&address, &token)?;
        if let Some(path) = variable("KITUMAIJA_TLS_CA") {
            let pem = std::fs::read(&path).map_err(|error| {
                Error::Setting(format!("KITUMAIJA_TLS_CA is {path}, which cannot be read: {error}"))
            })?;
            settings = settings
                .trusting(pem)
                .map_err(|error| Error::Setting(format!("KITUMAIJA_TLS_CA is {path}: {error}")))?;
        }
        Ok(settings)
    }

    /// For a server at `HOST:PORT`, or at `https://HOST:PORT` for TLS by the system's authorities.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] if the address is of no such form, or the token cannot be sent.
    pub fn new(address: &str, token: &str) -> Result<Self, Error> {
        let (place, tls) = match address.strip_prefix("https://") {
            Some(place) => (place, Some(Trust::System)),
            None => (address, None),
        };
        let place = place.strip_suffix('/').unwrap_or(place);
        if !is_host_and_port(place) {
            let wanted = "HOST:PORT or https://HOST:PORT is wanted, such as 127.0.0.1:4800";
            return Err(Error::Setting(format!("KITUMAIJA_ADDRESS is {address:?}; {wanted}")));
        }
        let mut authorization: MetadataValue<Ascii> = format!("Bearer {token}")
            .parse()
            .map_err(|_| Error::Setting("KITUMAIJA_TOKEN has characters that no token has".to_owned()))?;
        authorization.set_sensitive(true);
        Ok(Self { capacity: 8, bot_version: "1".to_owned(), identity: None, uri: place.to_owned(), tls, authorization })
    }

    /// The same, with TLS, where the authorities of `pem` alone are trusted.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] if there is no certificate in it.
    pub fn trusting(self, pem: Vec<u8>) -> Result<Self, Error> {
        if !String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----") {
            return Err(Error::Setting("no PEM certificate is in it".to_owned()));
        }
        Ok(Self { tls: Some(Trust::Authorities(pem)), ..self })
    }

    /// The value of the metadata `authorization`.
    pub(crate) fn authorization(&self) -> MetadataValue<Ascii> {
        self.authorization.clone()
    }

    /// What to dial.
    pub(crate) fn endpoint(&self) -> Result<Endpoint, Error> {
        self.check()?;
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let wrong = |error: tonic::transport::Error| Error::Setting(format!("cannot dial {}: {error:?}", self.uri));
        let endpoint = Endpoint::from_shared(format!("{scheme}://{}", self.uri))
            .map_err(wrong)?
            .connect_timeout(CONNECTING)
            .http2_keep_alive_interval(KEEP_ALIVE)
            .keep_alive_timeout(KEEP_ALIVE_ANSWER);
        let mut tls = match &self.tls {
            None => return Ok(endpoint),
            Some(Trust::System) => ClientTlsConfig::new().with_native_roots(),
            Some(Trust::Authorities(pem)) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem)),
        };
        if let Some((certificate, key)) = &self.identity {
            tls = tls.identity(Identity::from_pem(certificate, key));
        }
        endpoint.tls_config(tls).map_err(wrong)
    }

    /// What the server would end the stream for.
    fn check(&self) -> Result<(), Error> {
        if !(1..=MOST_MATCHES).contains(&(self.capacity as usize)) {
            return Err(Error::Setting(format!("the capacity is {}; 1-{MOST_MATCHES} is wanted", self.capacity)));
        }
        if self.bot_version.chars().count() > LONGEST_VERSION || self.bot_version.contains('\0') {
            let wanted = format!("at most {LONGEST_VERSION} characters are wanted, none of them NUL");
            return Err(Error::Setting(format!("the bot's version is {:?}; {wanted}", self.bot_version)));
        }
        Ok(())
    }
}

fn is_host_and_port(place: &str) -> bool {
    let Some((host, port)) = place.rsplit_once(':') else {
        return false;
    };
    let bracketed = host.starts_with('[') && host.ends_with(']');
    let plain = !host.is_empty() && !host.contains(|sign: char| ":/?#@[]".contains(sign) || sign.is_whitespace());
    (bracketed || plain) && port.parse::<u16>().is_ok_and(|port| port > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, String> {
        let value = |name: &str| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned());
        Settings::read(value).map_err(|error| error.to_string())
    }

    fn dialed(address: &str) -> Result<String, Error> {
        Ok(Settings::new(address, "t")?.endpoint()?.uri().to_string())
    }

    #[test]
    fn a_setting_that_is_missing_or_empty_is_named() {
        for (address, token, named) in [("", "t", "KITUMAIJA_ADDRESS"), ("localhost:1", "", "KITUMAIJA_TOKEN")] {
            let error = read(&[("KITUMAIJA_ADDRESS", address), ("KITUMAIJA_TOKEN", token)]).err().unwrap();
            assert!(error.starts_with(named), "{error}");
        }
        assert!(read(&[]).err().unwrap().contains("KITUMAIJA_ADDRESS"));
    }

    #[test]
    fn an_address_is_a_host_and_a_port_with_or_without_tls() {
        for (address, uri) in [
            ("localhost:4800", "http://localhost:4800/"),
            ("[::1]:4800", "http://[::1]:4800/"),
            ("https://bots.example:443", "https://bots.example:443/"),
        ] {
            assert_eq!(dialed(address).unwrap(), uri);
        }
        for wrong in
            ["localhost", "localhost:", ":4800", "localhost:0", "localhost:70000", "http://localhost:1", "a/b:1"]
        {
            let error = dialed(wrong).unwrap_err().to_string();
            assert!(error.contains("KITUMAIJA_ADDRESS") && error.contains("HOST:PORT"), "{error}");
        }
    }

    #[test]
    fn a_file_of_authorities_that_is_none_is_told_before_dialing() {
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        for file in ["/no/such/file", here] {
            let error =
                read(&[("KITUMAIJA_ADDRESS", "localhost:1"), ("KITUMAIJA_TOKEN", "t"), ("KITUMAIJA_TLS_CA", file)])
                    .err()
                    .unwrap();
            assert!(error.contains("KITUMAIJA_TLS_CA") && error.contains(file), "{error}");
        }
    }

    #[test]
    fn a_token_that_cannot_be_sent_is_not_repeated() {
        let error = Settings::new("localhost:1", "secret\n").err().unwrap().to_string();

        assert!(error.contains("KITUMAIJA_TOKEN") && !error.contains("secret"), "{error}");
    }

    #[test]
    fn what_the_server_would_end_the_stream_for_is_told_before_dialing() {
        for (capacity, version) in [(0, "1"), (257, "1"), (8, &*"v".repeat(41)), (8, "\0")] {
            let mut settings = Settings::new("localhost:1", "t").unwrap();
            settings.capacity = capacity;
            version.clone_into(&mut settings.bot_version);
            assert!(matches!(settings.endpoint(), Err(Error::Setting(_))));
        }
    }
}
