//! TLS to the database, as the address asks for it: `sslmode` with the meaning it has in libpq, and
//! `sslrootcert` for the certificate authority.

use crate::{LocationProblem, StoreError};
use percent_encoding::percent_decode_str;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// The protection that an address asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TlsMode {
    /// Nothing, or `disable`: not encrypted.
    Off,
    /// `require`: encrypted. The certificate is not checked, so it does not help against a server
    /// that pretends to be the database.
    Encrypted,
    /// `verify-full`: encrypted, and the certificate must be for this host and issued by the
    /// authorities in this file, or by one that the system trusts.
    Verified { authorities: Option<PathBuf> },
}

impl TlsMode {
    /// Takes the parameters for TLS out of an address. The rest is for the client, which does not
    /// know all of them.
    pub(crate) fn take_from(address: &str) -> Result<(String, TlsMode), LocationProblem> {
        let Some((rest, query)) = address.split_once('?') else {
            return Ok((address.to_owned(), TlsMode::Off));
        };
        let (mut mode, mut authorities, mut others) = (None, None, Vec::new());
        for parameter in query.split('&') {
            let decoded = |value: &str| percent_decode_str(value).decode_utf8_lossy().into_owned();
            match parameter.split_once('=') {
                Some(("sslmode", value)) => mode = Some(decoded(value)),
                Some(("sslrootcert", value)) => authorities = Some(PathBuf::from(decoded(value))),
                _ => others.push(parameter),
            }
        }
        let mode = match (mode.as_deref(), authorities) {
            (None | Some("disable"), None) => TlsMode::Off,
            (Some("require"), None) => TlsMode::Encrypted,
            (Some("verify-full"), authorities) => TlsMode::Verified { authorities },
            _ => return Err(LocationProblem::BadTls),
        };
        let question = if others.is_empty() { "" } else { "?" };
        Ok((format!("{rest}{question}{}", others.join("&")), mode))
    }

    /// The TLS with which the client connects; `None` without TLS.
    pub(crate) fn connector(&self, place: &str) -> Result<Option<MakeRustlsConnect>, StoreError> {
        let refused = |why| StoreError::BadLocation { text: place.to_owned(), why };
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|_| refused(LocationProblem::BadTls))?;
        let config = match self {
            TlsMode::Off => return Ok(None),
            TlsMode::Encrypted => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider))),
            TlsMode::Verified { authorities } => {
                let roots = match authorities {
                    Some(file) => authorities_in(file).map_err(refused)?,
                    None => trusted_by_the_system(),
                };
                builder.with_root_certificates(roots)
            }
        };
        Ok(Some(MakeRustlsConnect::new(config.with_no_client_auth())))
    }
}

fn authorities_in(file: &Path) -> Result<RootCertStore, LocationProblem> {
    let bad = |detail: String| LocationProblem::Certificates { file: file.to_owned(), detail };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|e| bad(e.to_string()))? {
        let certificate = certificate.map_err(|e| bad(e.to_string()))?;
        roots.add(certificate).map_err(|e| bad(e.to_string()))?;
    }
    if roots.is_empty() { Err(bad("it holds no certificate".to_owned())) } else { Ok(roots) }
}

/// An authority that cannot be read is left out, as in other programs.
fn trusted_by_the_system() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

/// Accepts every certificate, but checks that the server holds its key.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameters_for_tls_are_taken_out_of_the_address() {
        let verified =
            |file: Option<&str>| TlsMode::Verified { authorities: file.map(PathBuf::from) };
        for (address, rest, mode) in [
            ("postgres://db/club", "postgres://db/club", TlsMode::Off),
            ("postgres://db/club?sslmode=disable", "postgres://db/club", TlsMode::Off),
            (
                "postgres://db/club?connect_timeout=3&sslmode=require&options=a",
                "postgres://db/club?connect_timeout=3&options=a",
                TlsMode::Encrypted,
            ),
            ("postgres://db/club?sslmode=verify-full", "postgres://db/club", verified(None)),
            (
                "postgres://db/club?sslrootcert=%2Fetc%2Fca.pem&sslmode=verify-full",
                "postgres://db/club",
                verified(Some("/etc/ca.pem")),
            ),
        ] {
            assert_eq!(TlsMode::take_from(address), Ok((rest.to_owned(), mode)), "{address}");
        }
        for address in [
            "postgres://db/club?sslmode=perhaps",
            "postgres://db/club?sslmode=verify-ca",
            "postgres://db/club?sslmode=require&sslrootcert=ca.pem",
            "postgres://db/club?sslrootcert=ca.pem",
        ] {
            assert_eq!(TlsMode::take_from(address), Err(LocationProblem::BadTls), "{address}");
        }
    }
}
