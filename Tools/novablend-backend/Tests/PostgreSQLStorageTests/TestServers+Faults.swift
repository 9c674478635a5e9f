import PostgreSQLTestSupport

extension TestServers {
    /// An action that ends the process of the server that executes it.
    static let kill = """
        PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60)
        """

    /// Adds a trigger, which runs in the server while it stores an appointment or commits it. It
    /// executes `action` for the first `count` appointments that fulfill `condition`. They are counted
    /// by a sequence, which a rollback does not reset.
    static func addFault(
        _ action: String,
        count: Int = 1,
        atCommit: Bool = false,
        where condition: String = "true",
        on url: String
    ) throws {
        try run("CREATE SEQUENCE faults", on: url)
        try run(
            """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF \(condition) AND nextval('faults') <= \(count) THEN \(action); END IF;
                RETURN NULL;
            END $$
            """,
            on: url
        )
        try run(
            """
            CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON appointments
            \(atCommit ? "DEFERRABLE INITIALLY DEFERRED" : "")
            FOR EACH ROW EXECUTE FUNCTION fail()
            """,
            on: url
        )
    }
}
