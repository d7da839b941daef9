#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdexcept>
#include <string>
#include <utility>

// Certificates for tests, made at run time and signed by a certificate authority of the test.
namespace weft_test {

class Certificates {
 public:
  struct Files {
    std::string certificate;
    std::string key;
  };
  struct Wanted {
    std::string name;         // the host name; with "IP:" in front an address
    long from_seconds = -60;  // start of the validity, from now
    long to_seconds = 3'600;
    bool self_signed = false;  // not signed by the authority
  };

  Certificates() {
    directory_ = std::filesystem::temp_directory_path() /
                 ("weft_tls_" + std::to_string(::getpid()) + "_" + std::to_string(made_++));
    std::filesystem::create_directories(directory_);
    authority_key_ = make_key();
    authority_ =
        make({.name = "Authority of the test", .self_signed = true}, *authority_key_, true);
    write_certificate("authority", *authority_);
  }
  ~Certificates() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  Certificates(const Certificates&) = delete;
  Certificates& operator=(const Certificates&) = delete;

  [[nodiscard]] std::string authority() const { return path("authority.pem"); }
  Files issue(const Wanted& wanted) {
    const std::string name = "issued" + std::to_string(issued_++);
    const Key key = make_key();
    const Certificate certificate = make(wanted, *key, false);
    write_certificate(name, *certificate);
    const File file = open(name + ".key");
    if (PEM_write_PrivateKey(file.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1) {
      throw std::runtime_error{"a key could not be written"};
    }
    return {path(name + ".pem"), path(name + ".key")};
  }

 private:
  template <auto F>
  struct Free {
    template <class T>
    void operator()(T* object) const {
      F(object);
    }
  };
  using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
  using Certificate = std::unique_ptr<X509, Free<X509_free>>;
  using File = std::unique_ptr<std::FILE, Free<std::fclose>>;

  static Key make_key() {
    // Like the macro EVP_EC_gen, without its cast.
    std::string curve = "P-256";
    return Key{EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", curve.data())};
  }

  Certificate make(const Wanted& wanted, EVP_PKEY& key, bool is_authority) {
    Certificate made{X509_new()};
    X509* const certificate = made.get();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial_);
    X509_gmtime_adj(X509_getm_notBefore(certificate), wanted.from_seconds);
    X509_gmtime_adj(X509_getm_notAfter(certificate), wanted.to_seconds);
    X509_set_pubkey(certificate, &key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(wanted.name.c_str()), -1, -1,
                               0);
    const bool own = wanted.self_signed;
    X509_set_issuer_name(certificate, X509_get_subject_name(own ? certificate : authority_.get()));
    if (is_authority) {
      add(*certificate, NID_basic_constraints, "critical,CA:TRUE");
    } else {
      const bool is_address = wanted.name.compare(0, 3, "IP:") == 0;
      add(*certificate, NID_subject_alt_name, (is_address ? "" : "DNS:") + wanted.name);
    }
    if (X509_sign(certificate, own ? &key : authority_key_.get(), EVP_sha256()) == 0) {
      throw std::runtime_error{"a certificate could not be signed"};
    }
    return made;
  }
  static void add(X509& certificate, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, &certificate, &certificate, nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
    X509_add_ext(&certificate, extension, -1);
    X509_EXTENSION_free(extension);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (directory_ / name).string();
  }
  [[nodiscard]] File open(const std::string& name) const {
    File file{std::fopen(path(name).c_str(), "w")};
    if (file == nullptr) throw std::runtime_error{"a file of the test could not be made"};
    return file;
  }
  void write_certificate(const std::string& name, X509& certificate) const {
    PEM_write_X509(open(name + ".pem").get(), &certificate);
  }

  static inline int made_ = 0;
  std::filesystem::path directory_;
  Key authority_key_;
  Certificate authority_;
  long serial_ = 0;
  int issued_ = 0;
};

}  // namespace weft_test
