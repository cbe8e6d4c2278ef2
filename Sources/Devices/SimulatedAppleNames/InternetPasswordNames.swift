// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if canImport(Security)
public import Foundation
internal import Security

// The names of Apple's framework for internet passwords, which this module replaces.
/// The protocol FTP.
public var kSecAttrProtocolFTP: CFString { Security.kSecAttrProtocolFTP }
/// The protocol of an FTP account on the client's side.
public var kSecAttrProtocolFTPAccount: CFString { Security.kSecAttrProtocolFTPAccount }
/// The protocol HTTP.
public var kSecAttrProtocolHTTP: CFString { Security.kSecAttrProtocolHTTP }
/// The protocol IRC.
public var kSecAttrProtocolIRC: CFString { Security.kSecAttrProtocolIRC }
/// The protocol NNTP.
public var kSecAttrProtocolNNTP: CFString { Security.kSecAttrProtocolNNTP }
/// The protocol POP3.
public var kSecAttrProtocolPOP3: CFString { Security.kSecAttrProtocolPOP3 }
/// The protocol SMTP.
public var kSecAttrProtocolSMTP: CFString { Security.kSecAttrProtocolSMTP }
/// The protocol SOCKS.
public var kSecAttrProtocolSOCKS: CFString { Security.kSecAttrProtocolSOCKS }
/// The protocol IMAP.
public var kSecAttrProtocolIMAP: CFString { Security.kSecAttrProtocolIMAP }
/// The protocol LDAP.
public var kSecAttrProtocolLDAP: CFString { Security.kSecAttrProtocolLDAP }
/// The protocol AppleTalk.
public var kSecAttrProtocolAppleTalk: CFString { Security.kSecAttrProtocolAppleTalk }
/// The protocol AFP.
public var kSecAttrProtocolAFP: CFString { Security.kSecAttrProtocolAFP }
/// The protocol Telnet.
public var kSecAttrProtocolTelnet: CFString { Security.kSecAttrProtocolTelnet }
/// The protocol SSH.
public var kSecAttrProtocolSSH: CFString { Security.kSecAttrProtocolSSH }
/// The protocol FTP over TLS.
public var kSecAttrProtocolFTPS: CFString { Security.kSecAttrProtocolFTPS }
/// The protocol HTTP over TLS.
public var kSecAttrProtocolHTTPS: CFString { Security.kSecAttrProtocolHTTPS }
/// The protocol of a proxy of HTTP.
public var kSecAttrProtocolHTTPProxy: CFString { Security.kSecAttrProtocolHTTPProxy }
/// The protocol of a proxy of HTTP over TLS.
public var kSecAttrProtocolHTTPSProxy: CFString { Security.kSecAttrProtocolHTTPSProxy }
/// The protocol of a proxy of FTP.
public var kSecAttrProtocolFTPProxy: CFString { Security.kSecAttrProtocolFTPProxy }
/// The protocol SMB.
public var kSecAttrProtocolSMB: CFString { Security.kSecAttrProtocolSMB }
/// The protocol RTSP.
public var kSecAttrProtocolRTSP: CFString { Security.kSecAttrProtocolRTSP }
/// The protocol of a proxy of RTSP.
public var kSecAttrProtocolRTSPProxy: CFString { Security.kSecAttrProtocolRTSPProxy }
/// The protocol DAAP.
public var kSecAttrProtocolDAAP: CFString { Security.kSecAttrProtocolDAAP }
/// The protocol of remote Apple events.
public var kSecAttrProtocolEPPC: CFString { Security.kSecAttrProtocolEPPC }
/// The protocol IPP.
public var kSecAttrProtocolIPP: CFString { Security.kSecAttrProtocolIPP }
/// The protocol NNTP over TLS.
public var kSecAttrProtocolNNTPS: CFString { Security.kSecAttrProtocolNNTPS }
/// The protocol LDAP over TLS.
public var kSecAttrProtocolLDAPS: CFString { Security.kSecAttrProtocolLDAPS }
/// The protocol Telnet over TLS.
public var kSecAttrProtocolTelnetS: CFString { Security.kSecAttrProtocolTelnetS }
/// The protocol IMAP over TLS.
public var kSecAttrProtocolIMAPS: CFString { Security.kSecAttrProtocolIMAPS }
/// The protocol IRC over TLS.
public var kSecAttrProtocolIRCS: CFString { Security.kSecAttrProtocolIRCS }
/// The protocol POP3 over TLS.
public var kSecAttrProtocolPOP3S: CFString { Security.kSecAttrProtocolPOP3S }
/// Authentication by NTLM.
public var kSecAttrAuthenticationTypeNTLM: CFString { Security.kSecAttrAuthenticationTypeNTLM }
/// Authentication by Microsoft Network.
public var kSecAttrAuthenticationTypeMSN: CFString { Security.kSecAttrAuthenticationTypeMSN }
/// Authentication by distributed password authentication.
public var kSecAttrAuthenticationTypeDPA: CFString { Security.kSecAttrAuthenticationTypeDPA }
/// Authentication by remote password authentication.
public var kSecAttrAuthenticationTypeRPA: CFString { Security.kSecAttrAuthenticationTypeRPA }
/// Authentication by HTTP Basic.
public var kSecAttrAuthenticationTypeHTTPBasic: CFString { Security.kSecAttrAuthenticationTypeHTTPBasic }
/// Authentication by HTTP Digest.
public var kSecAttrAuthenticationTypeHTTPDigest: CFString { Security.kSecAttrAuthenticationTypeHTTPDigest }
/// Authentication by a form on a page.
public var kSecAttrAuthenticationTypeHTMLForm: CFString { Security.kSecAttrAuthenticationTypeHTMLForm }
/// The protocol's usual authentication.
public var kSecAttrAuthenticationTypeDefault: CFString { Security.kSecAttrAuthenticationTypeDefault }
#endif
