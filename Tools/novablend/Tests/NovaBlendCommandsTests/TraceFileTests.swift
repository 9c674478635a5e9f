import Foundation
import Testing

@testable import NovaBlendCommands

@Suite("A trace")
struct TraceFileTests {
    private func redacted(_ message: String) -> String {
        String(decoding: TraceFile.redacted(Array(message.utf8)), as: UTF8.self)
    }

    @Test(
        "hides personal data and secrets, whatever the capitalization of their keys",
        arguments: [
            "phone", "Phone", "PHONE", "email", "EMAIL", "notes", "Notes", "authorization",
            "Authorization", "token", "Token",
        ]
    )
    func keys(key: String) {
        #expect(redacted(#"{"\#(key)":"s3cret"}"#) == #"{"\#(key)":"(hidden)"}"#)
        #expect(redacted(#"[{"a":{"\#(key)":["s3cret",7]}}]"#).contains("s3cret") == false)
    }

    @Test("does not change other members")
    func others() {
        let message = #"{"id":1,"name":"x","phones":"y","b":[true,null,1.5],"t":"[not JSON"}"#
        #expect(redacted(message) == message)
    }

    @Test(
        "hides personal data in JSON in strings: after white space, in an array, encoded twice",
        arguments: [
            #"{"text":"{\"phone\":\"s3cret\",\"a\":1}"}"#,
            #"{"text":" \n\t{\"phone\":\"s3cret\",\"a\":1}"}"#,
            #"{"text":"[{\"Phone\":\"s3cret\",\"a\":1}]"}"#,
            #"{"text":"{\"text\":\"[{\\\"phone\\\":\\\"s3cret\\\",\\\"a\\\":1}]\"}"}"#,
            #"{"text":"\"{\\\"phone\\\":\\\"s3cret\\\",\\\"a\\\":1}\""}"#,
        ]
    )
    func text(message: String) {
        let trace = redacted(message)
        #expect(!trace.contains("s3cret") && trace.contains("(hidden)"), "\(trace)")
        #expect(trace.contains(#"a\"#), "\(trace)")
    }

    @Test("hides the text of a confirmation question, which shows personal data")
    func question() {
        let params = #""params":{"message":"Phone: s3cret","requestedSchema":{"type":"object"}}"#
        for message in ["{\(params)}", #"{"result":{"inputRequests":{"confirm":{\#(params)}}}}"#] {
            let trace = redacted(message)
            #expect(!trace.contains("s3cret") && trace.contains("requestedSchema"), "\(trace)")
        }
        #expect(redacted(#"{"message":"m"}"#) == #"{"message":"m"}"#)
    }

    @Test(
        "hides positional arguments completely",
        arguments: [
            #"{"params":["s3cret",{"a":"s3cret"}]}"#, #"{"params":"s3cret"}"#,
            #"{"arguments":"s3cret"}"#, #"{"params":{"arguments":["s3cret"]}}"#,
            #"{"params":{"arguments":"{\"phone\":\"s3cret"}}"#,
        ]
    )
    func unnamed(message: String) {
        #expect(!redacted(message).contains("s3cret"))
    }

    @Test(
        "is written only to a file that no other user can read or write, or to a device",
        arguments: [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o620, false)]
    )
    func permissions(mode: Int, isAccepted: Bool) throws {
        let path = FileManager.default.temporaryDirectory.path + "/trace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try TraceFile(path: path)
        let created = try FileManager.default.attributesOfItem(atPath: path)
        #expect(created[.posixPermissions] as? Int == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let file = try? TraceFile(path: path)
        #expect((file != nil) == isAccepted)
        _ = try TraceFile(path: "/dev/null")
    }

    @Test("completely hides a message that is not JSON")
    func broken() {
        #expect(redacted("phone s3cret") == #""12 bytes that are not JSON""#)
    }
}
