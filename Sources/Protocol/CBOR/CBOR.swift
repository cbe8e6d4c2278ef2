/// Concise Binary Object Representation as CTAP2 uses it (RFC 8949; CTAP 2.3 §8, "Message Encoding").
///
/// ``CBOR/Value`` is the tree, ``CBOR/decode(_:options:)`` reads bytes strictly and ``CBOR/encode(_:ordering:)``
/// writes the one canonical form. Reading checks every rule of the CTAP2 canonical CBOR encoding form and says which
/// one was broken and where; it never traps, whatever the bytes are.
public enum CBOR {}
