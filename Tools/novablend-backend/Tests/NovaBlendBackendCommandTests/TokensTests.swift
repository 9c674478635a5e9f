import BackendKit
import BookingStorage
import Domain
import Foundation
import SQLiteStorage
import SystemTestSupport
import Testing

@Suite("tokens create, list, and revoke", .timeLimit(.minutes(10)))
struct TokensTests {
    private let directory: TemporaryDirectory
    private var database: String { directory.path + "/db.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    private func run(_ words: String...) async throws -> CommandOutput {
        try await CommandOutput(words + ["--database", database])
    }

    private func tokens() async throws -> [StoredToken] {
        let store = try SQLiteBookingStore(path: database, clock: SystemClock())
        defer { store.close() }
        return try await store.tokens(after: nil, limit: 1_000)
    }

    @Test("a token is printed once, and the database has only its hash")
    func create() async throws {
        let created = try await run("tokens", "create", "--role", "administrator")
        #expect(created.code == 0)
        let format = /nvb_([0-9a-f]{16})_([0-9a-f]{64})\n/
        let match = try #require(created.output.wholeMatch(of: format))
        let (id, secret) = (String(match.output.1), String(match.output.2))
        #expect(created.errors.contains(id) && !created.errors.contains(secret))
        let stored = try await tokens()
        #expect(stored.map(\.id) == [id] && stored.map(\.role) == [.administrator])
        #expect(stored.map(\.expiresAt) == [nil])
        let list = try await run("tokens", "list")
        #expect(list.output.contains(id) && !list.output.contains(secret))
        for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            let path = URL(filePath: "\(directory.path)/\(file)")
            let bytes = try Data(contentsOf: path)
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil)
        }
    }

    @Test("a token is written to a file only for this user, which --force replaces")
    func output() async throws {
        let path = directory.path + "/operator.token"
        let create = ["tokens", "create", "--role", "administrator", "--database", database]
        let created = try await CommandOutput(create + ["--output", path])
        #expect(created.code == 0 && created.output.isEmpty)
        let format = /nvb_([0-9a-f]{16})_([0-9a-f]{64})\n/
        let first = try String(contentsOfFile: path, encoding: .utf8)
        let match = try #require(first.wholeMatch(of: format))
        #expect(created.errors == "The token is in \(path). Its id is \(match.output.1).\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // The file that exists is not touched, and no token is created.
        #expect(try await CommandOutput(create + ["--output", path]).code == 73)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == first)
        #expect(try await tokens().count == 1)
        #expect(try await CommandOutput(create + ["--output", path, "--force"]).code == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) != first)
        #expect(try await tokens().count == 2)
    }

    @Test("a command that fails leaves neither a file nor a token")
    func failedOutput() async throws {
        try Backend(database: database).stop()
        let path = directory.path + "/staff.token"
        let words = ["tokens", "create", "--role", "staff", "--database", database, "--salon"]
        let salon = SalonID(high: 1, low: 1).description
        #expect(try await CommandOutput(words + [salon, "--output", path]).code == 66)
        let none = directory.path + "/none/token"
        let known = try #require(SampleSalons.all.first).id.description
        #expect(try await CommandOutput(words + [known, "--output", none]).code == 73)
        #expect(try await tokens().isEmpty)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(files.allSatisfy { $0.hasPrefix("db.sqlite") })
    }

    @Test("a new database has a token, but not the sample salons")
    func newDatabase() async throws {
        _ = try await run("tokens", "create", "--role", "administrator")
        #expect(try await run("salons", "export").output == "{\"salons\":[\n]}\n")
    }

    @Test("customers have a phone number, and staff have a salon that exists")
    func roles() async throws {
        try Backend(database: database).stop()
        let salon = try #require(SampleSalons.all.first).id
        let phone = "+49 (030) 123-456"
        #expect(
            try await run("tokens", "create", "--role", "customer", "--phone", phone).code == 0
        )
        let staff = ["tokens", "create", "--role", "staff", "--database", database, "--salon"]
        #expect(try await CommandOutput(staff + [salon.description]).code == 0)
        let unknown = SalonID(high: 1, low: 1).description
        let rejected = try await CommandOutput(staff + [unknown])
        #expect(rejected.code == 66 && rejected.output.isEmpty)
        #expect(rejected.errors == "novablend-backend: there is no salon \(unknown)\n")
        let roles = Set(try await tokens().map(\.role))
        #expect(roles == [.customer(phone: "49030123456"), .staff(of: salon)])
    }

    @Test("a token expires after some days, or at a time")
    func expiry() async throws {
        let before = SystemClock().now
        for words in [
            ["--days", "1"], ["--expires", "2126-01-31"],
            ["--expires", "2126-01-31T18:00:00+01:00"],
        ] {
            let create = ["tokens", "create", "--role", "administrator", "--database", database]
            #expect(try await CommandOutput(create + words).code == 0)
        }
        let expiries = try await tokens().compactMap(\.expiresAt).sorted()
        let midnight: Int64 = 4_925_491_200
        #expect(expiries.dropFirst().map(\.secondsSince1970) == [midnight, midnight + 61_200])
        let days = try #require(expiries.first).seconds(since: before)
        #expect((86_400...86_520).contains(days))
    }

    @Test(
        "what does not fit together is rejected, and nothing is created",
        arguments: [
            (["--role", "owner"], "--role must be customer, staff, or administrator"),
            ([], "tokens create requires --role"),
            (["--role", "customer"], "a customer needs --phone"),
            (["--role", "customer", "--phone", "1234"], "--phone must be a phone number"),
            (["--role", "customer", "--phone", "00000"], "--phone must be a phone number"),
            (["--role", "staff", "--phone", "12345"], "a customer needs --phone"),
            (["--role", "administrator", "--phone", "12345"], "a customer needs --phone"),
            (["--role", "staff", "--salon", "x"], "--salon must be the id of a salon"),
            (["--role", "administrator", "--days", "0"], "--days must be a whole number"),
            (["--role", "administrator", "--expires", "2027-02-30"], "--expires must be like"),
            (["--role", "administrator", "--expires", "2020-01-01"], "must be in the future"),
            (
                ["--role", "administrator", "--expires", "2126-01-01", "--days", "1"],
                "exclude each other"
            ),
        ]
    )
    func usage(words: [String], message: String) async throws {
        let outcome = try await CommandOutput(
            ["tokens", "create", "--database", database] + words
        )
        #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: database))
    }

    @Test("the list shows all tokens in the order of their creation, with their state")
    func list() async throws {
        let store = try SQLiteBookingStore(path: database, clock: SystemClock())
        let start = Timestamp(secondsSince1970: 1_700_000_000)
        let long = Timestamp(secondsSince1970: 4_000_000_000)
        for (number, (role, expiry)) in [
            (Principal.Role.customer(phone: "4930123"), long),
            (.staff(of: SalonID(high: 0, low: 0)), start), (.administrator, long),
        ].enumerated() {
            let token = StoredToken(
                id: String(repeating: "\(number)", count: 16),
                role: role,
                name: "name \(number)",
                hash: "h",
                createdAt: start.advanced(bySeconds: Int64(number)),
                expiresAt: expiry
            )
            try await store.create(token)
        }
        store.close()
        #expect(try await run("tokens", "revoke", "2222222222222222").code == 0)
        let lines = try await run("tokens", "list").output.split(separator: "\n")
        let expected = [
            /ID +ROLE +STATE +FOR +NAME +CREATED +EXPIRES +REVOKED/,
            /0{16}  customer       valid    4930123 .* name 0  2023-11-14T22:13:20Z  2096-10-.*Z/,
            /1{16}  staff          expired  00000000-.*  name 1  2023-.*  2023-11-14T22:13:20Z/,
            /2{16}  administrator  revoked  .* name 2  2023-.*  2096-.*Z  20.*Z/,
        ]
        try #require(lines.count == expected.count)
        for (line, pattern) in zip(lines, expected) {
            #expect(line.wholeMatch(of: pattern) != nil, "\(line)")
        }
    }

    @Test("a token is revoked by its id, also twice, and an error never repeats a token")
    func revoke() async throws {
        let created = try await run("tokens", "create", "--role", "administrator")
        let token = created.output.trimmingCharacters(in: .newlines)
        let id = try #require(try await tokens().first).id
        let whole = try await run("tokens", "revoke", token)
        #expect(whole.code == 64 && !whole.errors.contains(token))
        let unknown = try await run("tokens", "revoke", String(id.reversed()))
        #expect(unknown.code == 66)
        #expect(unknown.errors == "novablend-backend: there is no token with this id\n")
        #expect(try await tokens().map(\.revokedAt) == [nil])
        for _ in 0..<2 {
            let revoked = try await run("tokens", "revoke", id)
            #expect(revoked.code == 0 && revoked.output.isEmpty && revoked.errors.isEmpty)
        }
        #expect(try await tokens().compactMap(\.revokedAt).count == 1)
    }

    @Test("without tokens, the list says so, and without a database it is an error")
    func none() async throws {
        #expect(try await run("tokens", "list").code == 66)
        #expect(try await run("tokens", "revoke", "0123456789abcdef").code == 66)
        try Backend(database: database).stop()
        #expect(try await run("tokens", "list").output == "no tokens\n")
    }

    @Test("serve says what to do if other machines could reach it")
    func exposed() async throws {
        let bare = try await run("--host", "0.0.0.0", "--port", "0")
        #expect(bare.code == 1 && bare.output.isEmpty)
        #expect(bare.errors.contains("create a token with novablend-backend tokens create"))
        #expect(bare.errors.contains("--trusted-proxy"))
        _ = try await run("tokens", "create", "--role", "administrator")
        let proxy = try await run("--host", "0.0.0.0", "--port", "0")
        #expect(proxy.code == 1 && !proxy.errors.contains("tokens create"))
        #expect(proxy.errors.contains("--trusted-proxy"))
    }
}
