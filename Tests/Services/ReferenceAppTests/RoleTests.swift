import Testing

@testable import ReferenceApp

/// The homes of the roles.
struct RoleTests {
    private func home(_ role: AppRole) -> TestHost {
        var host = TestHost()
        host.role = role
        host.tap(.bankID, .approve, .skip)
        return host
    }

    @Test(arguments: AppRole.allCases)
    func onlyCoordinatorsAndAdministratorsSeePeople(role: AppRole) {
        var host = home(role)
        #expect(host.app.screen == role.home)
        #expect(host.app.offers.contains(.people) == (role != .peerMentor))
        guard role != .peerMentor else { return }
        host.tap(.people)
        #expect(host.app.rows == [AppRow(title: "Anne Lund", details: "Peer Mentor", buttons: [])])
        host.tap(.back)
        #expect(host.app.rows.isEmpty && host.app.people.isEmpty)
    }

    @Test(arguments: [
        (AppAnswer.refusal("role_not_permitted", 403), AppMessage.roleChanged),
        (.refusal("member_system_unavailable", 503), .serviceUnavailable), (.json("[]"), .serviceUnavailable),
    ]) func aListThatDoesNotComeLeadsHome(answer: AppAnswer, message: AppMessage) {
        var host = home(.coordinator)
        host.answers["/gateway/v1/people"] = answer
        host.tap(.people)
        #expect(host.app.screen == .coordinatorHome)
        #expect(host.app.message == message)
    }

    @Test func aRoleThatEndsClosesTheListAndItsNumbers() {
        var host = home(.coordinator)
        host.tap(.people)
        host.handle(.resumed(away: .seconds(1)))
        #expect(host.app.screen == .coordinatorHome)
        host.tap(.people)
        host.role = .peerMentor
        host.answers["/gateway/v1/home"] = .json("{}", 503)
        host.setOnline(false)
        host.setOnline(true)
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.app.people.isEmpty)
        #expect(host.preferences.cachedItems.isEmpty)
    }
}
