import PostgreSQLStorage

precondition(PostgreSQLBookingStore.isURL("postgresql:///salons"))
precondition(PostgreSQLBookingStore.problem(ofURL: "postgresql:///salons") == nil)
precondition(PostgreSQLBookingStore.problem(ofURL: "postgresql:///salons?password=a") != nil)
