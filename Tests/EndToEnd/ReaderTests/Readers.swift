import Testing

/// A real reader stack: pcscd with vsmartcard's virtual reader, on which the virtual authenticator lies.
///
/// One after the other: there is one pcscd on a machine, since its socket has a fixed name.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum Readers {}
