// The main of every test program: doctest's own, and a last line that counts test cases.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

namespace {

struct case_counter : doctest::IReporter {
    static inline bool ran = false;
    static inline unsigned passed = 0;
    static inline unsigned failed = 0;

    explicit case_counter(const doctest::ContextOptions&) {}
    void test_run_end(const doctest::TestRunStats& run) override {
        ran = true;
        failed = run.numTestCasesFailed;
        passed = run.numTestCasesPassingFilters - failed;
    }

    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("case_counter", 1, case_counter);

}  // namespace

int main(int argc, char** argv) {
    doctest::Context context{argc, argv};
    const int status = context.run();
    if (case_counter::ran) {
        std::printf("%u passed, %u failed\n", case_counter::passed, case_counter::failed);
        std::fflush(stdout);
    }
    return status;
}
