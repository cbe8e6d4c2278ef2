internal import Foundation
internal import LoopbackHTTP
package import ReferenceApp

/// The services on a loopback server, over HTTP.
package final class LoopbackAppServices: AppServices {
    private let http: LoopbackClient
    private let userAgent: String

    package init(port: Int, userAgent: String) {
        http = LoopbackClient(port: port)
        self.userAgent = userAgent
    }

    package func send(_ request: AppRequest, from installation: String?) async -> AppAnswer {
        var headers = request.headers
        headers["App-Installation"] = installation
        headers["Authorization"] = request.bearer.map { "Bearer \($0)" }
        if request.body != nil { headers["Content-Type"] = request.contentType }
        guard let answer = await exchange(request.method, request.path, headers, request.body) else {
            return .unreachable
        }
        return .response(status: answer.status, body: answer.body)
    }

    package func openPage(_ path: String) async -> ProviderPage? {
        guard let answer = await exchange("GET", path, ["Accept": "text/html"], nil), answer.status == 200,
            let request = Self.hiddenField("request", in: answer.body)
        else { return nil }
        let action = path.split(separator: "?", maxSplits: 1).first.map(String.init) ?? path
        return ProviderPage(action: action + "/decision", request: request)
    }

    package func decide(_ page: ProviderPage, approves: Bool) async -> String? {
        var form = URLComponents()
        form.queryItems = [
            URLQueryItem(name: "request", value: page.request),
            URLQueryItem(name: "decision", value: approves ? "approve" : "cancel"),
        ]
        let headers = ["Content-Type": "application/x-www-form-urlencoded"]
        let answer = await exchange("POST", page.action, headers, form.percentEncodedQuery)
        return answer?.location
    }

    package func readFile(_ path: String) async -> [UInt8]? {
        // Apple's and Google's servers take JSON without a redirect only.
        guard let answer = await exchange("GET", path, [:], nil), answer.status == 200,
            answer.contentType?.hasPrefix("application/json") == true
        else { return nil }
        return Array(answer.body.utf8)
    }

    package func codes(sentTo address: String) async -> [String] {
        let name = address.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? address
        guard let answer = await exchange("GET", "/mailbox/\(name)", [:], nil), answer.status == 200 else { return [] }
        struct Mailbox: Decodable {
            struct Message: Decodable { let code: String }
            let messages: [Message]
        }
        let mailbox = try? JSONDecoder().decode(Mailbox.self, from: Data(answer.body.utf8))
        return mailbox?.messages.map(\.code) ?? []
    }

    private static func hiddenField(_ name: String, in page: String) -> String? {
        guard let start = page.range(of: "name=\"\(name)\" value=\""),
            let end = page[start.upperBound...].firstIndex(of: "\"")
        else { return nil }
        return String(page[start.upperBound..<end])
    }

    private func exchange(
        _ method: String, _ path: String, _ headers: [String: String], _ body: String?
    ) async -> (status: Int, body: String, contentType: String?, location: String?)? {
        let fields =
            [("User-Agent", userAgent), (WaitPreference.header, WaitPreference(AppHost.patience).text)]
            + headers.sorted { $0.key < $1.key }
        // No cookies are kept and no redirect is followed: the app's links are the app's.
        // A client of the control API that goes away ends a prompt, and no request of the app.
        let request = Task { try? await http.send(method, path, fields: fields, body: Array((body ?? "").utf8)) }
        guard let answer = await request.value else { return nil }
        return (
            answer.status, String(decoding: answer.body, as: UTF8.self), answer.values(of: "content-type").first,
            answer.values(of: "location").first
        )
    }
}
